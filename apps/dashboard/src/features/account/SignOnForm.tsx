/** Signs in with the identity provider of an organization, which the domain of the e-mail address tells. */
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { EmailQuestion } from "./EmailQuestion.tsx"
import { useSignOn } from "./writes.ts"

export const SignOnForm = ({
  email,
  isRequired = false,
  onBack,
  onBypass,
  to
}: {
  readonly email: string
  /** The organization requires it for this address. */
  readonly isRequired?: boolean
  readonly to: string
  readonly onBack: () => void
  /** Owners can sign in with their password and second factor all the same. */
  readonly onBypass?: () => Promise<void>
}) => {
  const { mutateAsync: signOn } = useSignOn()
  return (
    <EmailQuestion
      action={t("Continue")}
      email={email}
      onEmail={async (email) => {
        const { url } = await signOn({ email, callbackURL: to })
        location.assign(url)
      }}
      more={({ isBusy, submit }) => (
        <>
          {onBypass !== undefined && (
            <Button kind="quiet" isDisabled={isBusy} onPress={() => submit(onBypass)}>
              {t("I am an owner: sign in without it, which is recorded")}
            </Button>
          )}
          <Button kind="quiet" onPress={onBack}>
            {t("Back")}
          </Button>
        </>
      )}
    >
      {isRequired ? (
        <Notice tone="maintenance">{t("Your organization requires its own sign-in for this address.")}</Notice>
      ) : (
        <p className="text-sm text-soft">{t("Your address at work leads to the sign-in of your organization.")}</p>
      )}
    </EmailQuestion>
  )
}
