/** Acknowledge, take back, snooze. */
import { useMay } from "../../api/permissions.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Menu } from "../../ui/Overlay.tsx"
import type { Act } from "./handling.ts"
import type { AlertRecord } from "./queries.ts"

const hour = 3_600_000

/** Nine in the morning of the next day, in the reader's time zone. */
const tomorrow = (): string => {
  const at = new Date()
  at.setDate(at.getDate() + 1)
  at.setHours(9, 0, 0, 0)
  return at.toISOString()
}

const inHours = (hours: number): string => new Date(Date.now() + hours * hour).toISOString()

export const AlertActions = ({ alert, onAct }: { readonly alert: AlertRecord; readonly onAct: (act: Act) => void }) => {
  const mayRespond = useMay("alerts.respond")
  if (alert.state === "resolved" || !mayRespond) return null
  const isHandled = alert.state !== "open"
  const snooze = (until: string) => () => onAct({ type: "snooze", until })
  return (
    <div className="flex flex-wrap items-center gap-2">
      {/* One button in both states, so that it keeps the focus. */}
      <Button
        onPress={() => onAct({ type: isHandled ? "unacknowledge" : "acknowledge" })}
        aria-keyshortcuts={isHandled ? undefined : "a"}
      >
        {!isHandled && <Icon name="check" />}
        {alert.state === "snoozed" ? t("End snooze") : isHandled ? t("Unacknowledge") : t("Acknowledge")}
      </Button>
      {!isHandled && (
        <Menu
          label={t("Snooze")}
          button={
            <Button kind="quiet">
              {t("Snooze")}
              <Icon name="chevron" />
            </Button>
          }
          groups={[
            [
              { id: "1", label: t("1 hour"), onAction: snooze(inHours(1)) },
              { id: "4", label: t("4 hours"), onAction: snooze(inHours(4)) },
              { id: "24", label: t("24 hours"), onAction: snooze(inHours(24)) },
              { id: "tomorrow", label: t("Until tomorrow, 9:00"), onAction: snooze(tomorrow()) }
            ]
          ]}
        />
      )}
    </div>
  )
}
