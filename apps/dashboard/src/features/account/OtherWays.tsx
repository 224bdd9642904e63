/** The ways to sign in besides a password. */
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { useSignOn } from "./writes.ts"

export const OtherWays = ({
  isFirst,
  onPasskey,
  onSignOn,
  provider,
  to
}: {
  /** There is no password above it. */
  readonly isFirst: boolean
  readonly onPasskey?: () => void
  /** Absent where no organization has single sign-on. */
  readonly onSignOn?: () => void
  readonly provider: string | undefined
  readonly to: string
}) => {
  const { mutateAsync: ask } = useSignOn()
  const { errors, isBusy, submit } = useSubmit()
  const signOn = () =>
    submit(async () => {
      const { url } = await ask({ callbackURL: to })
      location.assign(url)
    })
  if (provider === undefined && onPasskey === undefined && onSignOn === undefined) return null
  return (
    <div className="flex flex-col gap-2">
      {!isFirst && (
        <div className="flex items-center gap-3 text-small text-soft" aria-hidden>
          <span className="h-px flex-1 bg-line" />
          {t("or")}
          <span className="h-px flex-1 bg-line" />
        </div>
      )}
      <FormProblem errors={errors} />
      {provider !== undefined && (
        <Button kind={isFirst ? "primary" : "plain"} onPress={() => void signOn()} isDisabled={isBusy}>
          {t("Continue with {name}", { name: provider })}
        </Button>
      )}
      {onPasskey !== undefined && <Button onPress={onPasskey}>{t("Sign in with a passkey")}</Button>}
      {onSignOn !== undefined && <Button onPress={onSignOn}>{t("Single sign-on")}</Button>}
    </div>
  )
}
