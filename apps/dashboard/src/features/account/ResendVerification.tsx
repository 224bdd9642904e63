/** Sends the mail that verifies the address once more. */
import { useMethods } from "../../api/methods.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { useResendVerification } from "./writes.ts"

export const ResendVerification = ({ email }: { readonly email: string }) => {
  const methods = useMethods()
  const isMailed = methods?.mail !== false
  const { error, isPending, isSuccess, mutate: send } = useResendVerification()
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {!isSuccess && (
        <Button onPress={() => send()} isDisabled={isPending}>
          {isMailed ? t("Send the mail again") : t("Make a new link")}
        </Button>
      )}
      <span role="status" className="text-sm">
        {isSuccess
          ? isMailed
            ? t("The mail is on its way.")
            : t(
                "This installation sends no mail: the link for {email} is printed on the console of the server. Ask the person who runs it.",
                { email }
              )
          : (error?.message ?? "")}
      </span>
    </span>
  )
}
