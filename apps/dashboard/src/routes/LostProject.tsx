/** Says that a project was taken away from the visitor, and by what. */
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"
import type { LostProject as Lost } from "./useLostProject.ts"

export const LostProject = ({
  lost: { isMember, name, organizationName = "" },
  onDismiss
}: {
  readonly lost: Lost
  /** Absent where there is nothing else to go on with. */
  readonly onDismiss?: () => void
}) => (
  <Notice tone="degraded" actions={onDismiss !== undefined && <Button onPress={onDismiss}>{t("Close")}</Button>}>
    {isMember
      ? t("The project {name} of {organization} was deleted, or you were removed from it.", {
          name,
          organization: organizationName
        })
      : t("You are no longer a member of {organization}: somebody removed you, or the organization was deleted.", {
          organization: organizationName
        })}
  </Notice>
)
