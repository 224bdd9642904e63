/** Sends the mail that verifies the address once more. */
import { useState } from "react"
import { ApiError } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"

export const ResendVerification = () => {
  const [state, setState] = useState<"ready" | "busy" | "sent" | Error>("ready")
  const send = async () => {
    setState("busy")
    try {
      await request("POST /auth/send-verification-email")
      setState("sent")
    } catch (error) {
      setState(error instanceof ApiError ? error : new Error(String(error)))
    }
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {state !== "sent" && (
        <Button onPress={() => void send()} isDisabled={state === "busy"}>
          {t("Send the mail again")}
        </Button>
      )}
      <span role="status" className="text-sm">
        {state === "sent" ? t("The mail is on its way.") : state instanceof Error ? state.message : ""}
      </span>
    </span>
  )
}
