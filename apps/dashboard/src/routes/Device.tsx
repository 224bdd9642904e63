/** `/device`: approves the sign-in of a program. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { sessionQuery } from "../api/session.ts"
import { DeviceApproval } from "../features/device/DeviceApproval.tsx"
import { t } from "../locales/text.ts"
import { Frame } from "./Frame.tsx"

const Device = () => {
  const { user_code: code } = useSearch({ from: "/device" })
  const navigate = useNavigate()
  const { data } = useQuery(sessionQuery)
  return (
    <Frame title={t("Sign in a program")}>
      {data != null && (
        <DeviceApproval
          key={code}
          user={data.user}
          code={code}
          onCode={(user_code) => void navigate({ to: "/device", search: { user_code } })}
        />
      )}
    </Frame>
  )
}

export default Device
