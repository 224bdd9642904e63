/** A list of everything of one kind in the installation: search, more on demand, and what an administrator can do with an entry. */
import { keepPreviousData } from "@tanstack/react-query"
import { type ReactNode, useDeferredValue, useState } from "react"
import { noErrors } from "../../api/problem.ts"
import { useFirstPage } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { idOf } from "../../ui/held.ts"
import { PagedList } from "../../ui/PagedList.tsx"
import { Section } from "../../ui/Section.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import type { ListQuery } from "./people.ts"

interface Entry {
  readonly id: string
  readonly name: string
  readonly disabledAt: string | null
}

/** The question before an action. */
export interface Question {
  readonly title: string
  readonly action: string
  readonly consequence: string
}

export const Directory = <Record extends Entry, Act extends "disable" | "enable" | "impersonate">({
  act: perform,
  listOf,
  question,
  row,
  searchLabel,
  title
}: {
  readonly listOf: (q: string) => ListQuery<Record>
  readonly act: (act: Act, id: string) => Promise<unknown>
  readonly title: string
  readonly searchLabel: string
  readonly row: (record: Record, onAct: (act: Act) => void) => ReactNode
  /** Undefined for what is done at once. */
  readonly question: (act: Act, record: Record) => Question | undefined
}) => {
  const [typed, setTyped] = useState("")
  const q = useDeferredValue(typed.trim())
  const query = useFirstPage({ ...listOf(q), placeholderData: keepPreviousData })
  const [asked, setAsked] = useState<{ readonly act: Act; readonly record: Record } | undefined>(undefined)
  const confirmed = useSubmit()
  const direct = useSubmit()
  const asking = asked === undefined ? undefined : question(asked.act, asked.record)

  const run = async (act: Act, { id }: Record) => {
    await perform(act, id)
    setAsked(undefined)
  }
  const begin = (act: Act, record: Record) => {
    if (question(act, record) === undefined) void direct.submit(() => run(act, record))
    else setAsked({ act, record })
  }

  return (
    <Section title={title}>
      {direct.errors.general !== undefined && (
        <Refusal onClose={() => direct.setErrors(noErrors)}>{direct.errors.general}</Refusal>
      )}
      <TextField label={searchLabel} type="search" value={typed} onChange={setTyped} autoComplete="off" />
      <PagedList
        label={title}
        query={query}
        keyOf={idOf}
        filter={`${q} ${query.isPlaceholderData}`}
        className="-my-1 divide-y divide-line"
        rowClass="flex flex-wrap items-center gap-x-4 gap-y-2 py-3"
        empty={<p className="text-sm text-soft">{t("Nothing matches")}</p>}
      >
        {(record) => row(record, (act) => begin(act, record))}
      </PagedList>
      <Confirm
        title={asking?.title ?? ""}
        action={asking?.action ?? ""}
        isOpen={asking !== undefined}
        isBusy={confirmed.isBusy}
        errors={confirmed.errors}
        onClose={() => setAsked(undefined)}
        onConfirm={() =>
          void confirmed.submit(async () => {
            if (asked !== undefined) await run(asked.act, asked.record)
          })
        }
      >
        <p>{asking?.consequence}</p>
      </Confirm>
    </Section>
  )
}

/** Disables an entry, or enables one that is disabled. */
export const DisableButton = ({
  onAct,
  record: { disabledAt, name }
}: {
  readonly record: Entry
  readonly onAct: (act: "disable" | "enable") => void
}) =>
  disabledAt === null ? (
    <Button onPress={() => onAct("disable")} aria-label={t("Disable {name}", { name })}>
      {t("Disable")}
    </Button>
  ) : (
    <Button onPress={() => onAct("enable")} aria-label={t("Enable {name}", { name })}>
      {t("Enable")}
    </Button>
  )

export const DisabledMark = ({ record: { disabledAt } }: { readonly record: Entry }) =>
  disabledAt !== null && <span className="ms-2 text-small font-medium text-down">{t("Disabled")}</span>
