/** "I take over", for some hours from now: two presses. */
import { useState } from "react"
import { reasonOf } from "../../api/problem.ts"
import { t } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Menu } from "../../ui/Overlay.tsx"
import { Outcome } from "../../ui/Toast.tsx"
import { momentWords } from "./words.ts"
import { useCreateOverride } from "./writes.ts"

const hours = [1, 2, 4, 8, 12] as const

export const TakeOver = ({
  onOther,
  organizationId,
  ownId,
  scheduleId,
  scheduleName
}: {
  readonly organizationId: string
  readonly scheduleId: string
  readonly scheduleName: string
  readonly ownId: string
  /** Opens the form for any other time. */
  readonly onOther?: () => void
}) => {
  const { isPending, mutateAsync: override } = useCreateOverride(organizationId, scheduleId)
  const [outcome, setOutcome] = useState<{ readonly tone: "up" | "down"; readonly text: string } | undefined>(undefined)
  const take = async (count: number) => {
    setOutcome(undefined)
    const now = Date.now()
    try {
      const { to } = await override({
        from: new Date(now).toISOString(),
        to: new Date(now + count * 3_600_000).toISOString(),
        userId: ownId
      })
      setOutcome({
        tone: "up",
        text: t("You are on call in {schedule} until {at}.", { schedule: scheduleName, at: momentWords(to) })
      })
    } catch (error) {
      setOutcome({ tone: "down", text: reasonOf(error) })
    }
  }
  return (
    <>
      <Menu
        label={t("I take over {schedule}", { schedule: scheduleName })}
        button={
          <Button isDisabled={isPending} aria-label={t("I take over {schedule}", { schedule: scheduleName })}>
            {t("I take over")}
            <Icon name="chevron" />
          </Button>
        }
        groups={[
          hours.map((count) => ({
            id: String(count),
            label: t("For {duration}", { duration: duration(count * 3600) }),
            onAction: () => void take(count)
          })),
          ...(onOther === undefined ? [] : [[{ id: "other", label: t("Another time…"), onAction: onOther }]])
        ]}
      />
      {outcome !== undefined && (
        <Outcome tone={outcome.tone} onClose={() => setOutcome(undefined)}>
          {outcome.text}
        </Outcome>
      )}
    </>
  )
}
