/** Sends the mail that verifies the address once more. */
import { useState } from "react"
import { useMethods } from "../../api/methods.ts"
import { ApiError } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"

export const ResendVerification = ({ email }: { readonly email: string }) => {
  const methods = useMethods()
  const isMailed = methods?.mail !== false
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
          {isMailed ? t("Send the mail again") : t("Make a new link")}
        </Button>
      )}
      <span role="status" className="text-sm">
        {state === "sent"
          ? isMailed
            ? t("The mail is on its way.")
            : t(
                "This installation sends no mail: the link for {email} is printed on the console of the server. Ask the person who runs it.",
                { email }
              )
          : state instanceof Error
            ? state.message
            : ""}
      </span>
    </span>
  )
}
