/** "Page me now": the visitor pages themselves by their own rules, and sees what becomes of each page until they acknowledge. */
import { useFirst, useFirsts } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"
import { methodsQuery, notificationRulesQuery, pageTestsQuery } from "./queries.ts"
import type { PageTest as Test } from "./types.ts"
import { methodNameOf, testPageWords, testStateWords } from "./words.ts"
import { useAcknowledgePageTest, useStartPageTest } from "./writes.ts"

const tones = {
  waiting: "quiet",
  sending: "quiet",
  held: "degraded",
  delivered: "up",
  failed: "down",
  dropped: "quiet"
} as const

const stateTones = { running: "degraded", acknowledged: "up", unanswered: "down", unreached: "down" } as const

type Page = Test["pages"][number]

/** When the next thing of a page happens, or happened. */
const When = ({ page: { dueAt, finishedAt, heldUntil, status } }: { readonly page: Page }) => {
  if (status === "waiting") return <Moment at={dueAt} />
  if (status === "held" && heldUntil !== null) return <Moment at={heldUntil} />
  return finishedAt === null ? null : <Ago at={finishedAt} />
}

const Pages = ({ test }: { readonly test: Test }) => {
  const { data: methods = [] } = useFirst(methodsQuery)
  return (
    <ul aria-label={t("Pages of the test")} className="-my-1 divide-y divide-line">
      {test.pages.map((page) => (
        <li key={page.contactMethodId} className="flex items-start gap-2 py-2.5 text-sm">
          <Shape tone={tones[page.status]} className="mt-0.5 size-3.5" />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap gap-x-2">
              <bdi className="font-medium break-words">{methodNameOf(methods, page.contactMethodId)}</bdi>
              <span className="text-soft">{testPageWords(page)}</span>
              <span className="text-soft">
                <When page={page} />
              </span>
            </p>
            {page.detail !== null && page.status !== "delivered" && (
              <p className="text-small break-words text-soft">{page.detail}</p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

export const PageTest = () => {
  useFirsts(pageTestsQuery, methodsQuery, notificationRulesQuery)
  const { data: tests, error } = useFirst(pageTestsQuery)
  const { data: rules } = useFirst(notificationRulesQuery)
  const { mutateAsync: start } = useStartPageTest()
  const { mutateAsync: acknowledge } = useAcknowledgePageTest()
  const { errors, isBusy, submit } = useSubmit()
  const newest = tests?.[0]
  const isRunning = newest?.state === "running"
  return (
    <Section
      title={t("Page me now")}
      actions={
        isRunning ? (
          <Button kind="primary" isDisabled={isBusy} onPress={() => void submit(() => acknowledge(newest.id))}>
            {t("Acknowledge the test")}
          </Button>
        ) : (
          <Button
            isDisabled={isBusy || tests === undefined || rules?.reachable === "no"}
            onPress={() => void submit(() => start())}
          >
            {t("Page me now")}
          </Button>
        )
      }
    >
      {error !== null && tests === undefined && <Notice>{error.message}</Notice>}
      <p className="text-sm text-soft">
        {t(
          "Pages you as a critical alert would: by your own rules, with their real delays, until you acknowledge. Use the link in a message to prove the whole way."
        )}
      </p>
      <div aria-live="polite" className="flex flex-col gap-3">
        {errors.general !== undefined && <Notice>{errors.general}</Notice>}
        {newest !== undefined && (
          <>
            <Notice tone={stateTones[newest.state]}>
              {testStateWords(newest)} <Ago at={newest.endedAt ?? newest.startedAt} />
            </Notice>
            <Pages test={newest} />
          </>
        )}
      </div>
    </Section>
  )
}
