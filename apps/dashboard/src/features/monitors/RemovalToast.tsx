/** Says that monitors are about to be deleted, and lets it be undone. */
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Toast } from "../../ui/Toast.tsx"
import type { Removal } from "./removal.ts"

const RemovalToast = ({ removal: { finish, hold, ids, seconds, undo } }: { readonly removal: Removal }) => (
  <div onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
    <Toast
      actions={
        <>
          <Button autoFocus onPress={undo}>
            {t("Undo")}
          </Button>
          <Button kind="quiet" onPress={finish}>
            {t("Delete now")}
          </Button>
        </>
      }
    >
      {t(
        "{count, plural, one {# monitor is deleted soon, with all results.} other {# monitors are deleted soon, with all results.}}",
        { count: ids.size }
      )}
      <span aria-hidden="true" className="text-soft">
        {" "}
        {seconds} s
      </span>
    </Toast>
  </div>
)

export default RemovalToast
