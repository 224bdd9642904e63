/** Asks for the password again, or for another sign-in, before a request that gives lasting access. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMethods } from "../../api/methods.ts"
import { request } from "../../api/request.ts"
import { sessionQuery } from "../../api/session.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { hasPasskeys } from "../../browser/secure.ts"
import { t } from "../../locales/text.ts"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { OtherWays } from "./OtherWays.tsx"
import { PasswordQuestion } from "./PasswordQuestion.tsx"
import { SignOnForm } from "./SignOnForm.tsx"
import { passkeyProblem } from "./webauthn.ts"
import { useProve, useSignInWithPasskey } from "./writes.ts"

const Ways = ({
  email,
  onAnswer,
  userId
}: {
  readonly email: string
  readonly userId: string
  readonly onAnswer: (isProven: boolean) => void
}) => {
  const methods = useMethods()
  const { mutateAsync: prove } = useProve()
  const { mutateAsync: withPasskey } = useSignInWithPasskey()
  const [isElsewhere, setElsewhere] = useState(false)
  const { errors, submit } = useSubmit()
  const here = location.href
  const askForPasskey = () =>
    submit(async () => {
      try {
        await withPasskey({})
      } catch (error) {
        const problem = passkeyProblem(error)
        if (problem === undefined) return
        throw new Error(problem, { cause: error })
      }
      const now = await request("GET /auth/get-session")
      // The passkey may belong to another account, which must not continue this action.
      if (now?.session.userId === userId) onAnswer(true)
      else location.reload()
    })
  if (isElsewhere) return <SignOnForm email={email} to={here} onBack={() => setElsewhere(false)} />
  const hasPassword = methods?.password !== false
  return (
    <div className="flex flex-col gap-4">
      {hasPassword && (
        <PasswordQuestion
          action={t("Continue")}
          onClose={() => onAnswer(false)}
          onPassword={async (password) => {
            await prove(password)
            onAnswer(true)
          }}
        />
      )}
      <FormProblem errors={errors} />
      <OtherWays
        isFirst={!hasPassword}
        {...(hasPasskeys() && methods?.passkeys !== false ? { onPasskey: () => void askForPasskey() } : {})}
        {...(methods?.organizationSignOn !== false ? { onSignOn: () => setElsewhere(true) } : {})}
        to={here}
        provider={methods?.singleSignOn?.label}
      />
    </div>
  )
}

const ProofDialog = ({ onAnswer }: { readonly onAnswer: (isProven: boolean) => void }) => {
  const { data } = useQuery(sessionQuery)
  return (
    <Dialog
      title={t("Confirm that it is you")}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onAnswer(false)
      }}
    >
      <p className="text-soft">
        {t("This gives lasting access, and you signed in a while ago. An account without a password signs in again.")}
      </p>
      {data != null && <Ways email={data.user.email} userId={data.user.id} onAnswer={onAnswer} />}
    </Dialog>
  )
}

export default ProofDialog
