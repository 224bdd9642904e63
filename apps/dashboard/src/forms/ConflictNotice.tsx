/** Says that other people changed what a form changes, and lets the reader go on from either version. */
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Notice } from "../ui/Notice.tsx"

export const ConflictNotice = ({
  of
}: {
  /** The two ways on; undefined while there is no conflict. */
  readonly of: { readonly loadTheirs: () => void; readonly keepMine: () => void } | undefined
}) =>
  of !== undefined && (
    <Notice
      actions={
        <>
          <Button onPress={of.loadTheirs}>{t("Load the other version")}</Button>
          <Button onPress={of.keepMine}>{t("Keep mine")}</Button>
        </>
      }
    >
      {t(
        "Somebody else saved a change after you opened this form, so yours is not saved. If you keep yours, the next save replaces the other one."
      )}
    </Notice>
  )
