/** Asks before the visitor leaves a page with an unsaved form. */
import { useBlocker } from "@tanstack/react-router"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Overlay.tsx"

export const LeaveGuard = ({ isChanged }: { readonly isChanged: () => boolean }) => {
  const blocker = useBlocker({ shouldBlockFn: isChanged, enableBeforeUnload: isChanged, withResolver: true })
  return (
    <Dialog alert title={t("Leave without saving?")} isOpen={blocker.status === "blocked"} dismissable={false}>
      <p className="text-soft">{t("What you typed will be lost.")}</p>
      <div className="flex justify-end gap-2">
        <Button autoFocus onPress={() => blocker.reset?.()}>
          {t("Stay")}
        </Button>
        <Button kind="danger" onPress={() => blocker.proceed?.()}>
          {t("Leave")}
        </Button>
      </div>
    </Dialog>
  )
}
