/** Backup codes, shown once: to copy, save and print. */
import { addressOf } from "../../browser/place.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { save } from "../../ui/save.ts"

const textOf = (codes: ReadonlyArray<string>): string =>
  [t("Backup codes for Kanmon, each for one sign-in:"), addressOf(""), "", ...codes, ""].join("\n")

/** Prints the codes alone, from a frame of their own. */
const print = (codes: ReadonlyArray<string>): void => {
  const frame = document.createElement("iframe")
  frame.title = t("Backup codes")
  frame.className = "sr-only"
  document.body.append(frame)
  const shown = frame.contentDocument!.createElement("pre")
  shown.textContent = textOf(codes)
  frame.contentDocument!.body.append(shown)
  frame.contentWindow!.addEventListener("afterprint", () => frame.remove())
  frame.contentWindow!.print()
}

export const BackupCodes = ({ codes }: { readonly codes: ReadonlyArray<string> }) => (
  <div className="flex flex-col gap-3">
    <p className="text-sm text-soft">
      {t(
        "Each code signs you in once when your phone is lost. Keep them where you keep passwords: they are not shown again."
      )}
    </p>
    <ul
      aria-label={t("Backup codes")}
      className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-lg bg-ink/6 px-3 py-2 font-mono text-sm"
    >
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <div className="flex flex-wrap gap-2">
      <CopyButton text={codes.join("\n")} />
      <Button onPress={() => save(new Blob([textOf(codes)], { type: "text/plain" }), "kanmon-backup-codes.txt")}>
        {t("Download|action")}
      </Button>
      <Button onPress={() => print(codes)}>{t("Print")}</Button>
    </div>
  </div>
)
