/** Asks for the mail with a link that sets a new password. The answer is the same whether or not there is an account. */
import { useState } from "react"
import { useMethods } from "../../api/methods.ts"
import { t } from "../../locales/text.ts"
import { Notice } from "../../ui/Notice.tsx"
import { EmailQuestion } from "./EmailQuestion.tsx"
import { useRequestReset } from "./writes.ts"

export const ForgotPasswordForm = ({ email: known = "" }: { readonly email?: string | undefined }) => {
  const methods = useMethods()
  const { mutateAsync: ask } = useRequestReset()
  const [sentTo, setSentTo] = useState<string | undefined>(undefined)
  if (sentTo !== undefined)
    return (
      <Notice tone="up">
        {methods?.mail === false
          ? t(
              "This installation sends no mail. If there is an account with the address {email}, the person who runs it finds the link on the console of the server.",
              { email: sentTo }
            )
          : t(
              "If there is an account with the address {email}, a mail with a link is on its way to it. Look in the folder for spam, too.",
              { email: sentTo }
            )}
      </Notice>
    )
  return (
    <EmailQuestion
      action={t("Send the link")}
      email={known}
      onEmail={async (email) => {
        await ask(email)
        setSentTo(email)
      }}
    >
      {/* As high as the longer text, which is known later: the field below stays where it is. */}
      <p className="min-h-10 text-sm text-soft">
        {methods?.mail === false
          ? t("This installation sends no mail: the link is printed on the console of the server.")
          : t("We send you a link to choose a new password.")}
      </p>
    </EmailQuestion>
  )
}
