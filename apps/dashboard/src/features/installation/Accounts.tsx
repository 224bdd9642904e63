/** The accounts of the installation: search, disable, and act as somebody. */
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { useDeferredValue, useState } from "react"
import { request } from "../../api/request.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"
import { type AccountOfAll, accountsQuery } from "./people.ts"

type Act = "disable" | "enable" | "impersonate"

const Row = ({
  account: { createdAt, disabledAt, email, emailVerified, isAdmin, lastSignedInAt, name, organizations },
  isSelf,
  onAct
}: {
  readonly account: AccountOfAll
  readonly isSelf: boolean
  readonly onAct: (act: Act) => void
}) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
    <div className="min-w-0 flex-1 basis-64">
      <p className="text-sm font-medium">
        <bdi className="break-words">{name}</bdi>
        {isSelf && <span className="ms-2 text-[0.8125rem] font-normal text-accent">{t("You")}</span>}
        {isAdmin && <span className="ms-2 text-[0.8125rem] font-normal text-soft">{t("Administrator")}</span>}
        {disabledAt !== null && <span className="ms-2 text-[0.8125rem] font-medium text-down">{t("Disabled")}</span>}
      </p>
      <p className="text-[0.8125rem] text-soft">
        <bdi className="break-all">{email}</bdi>
        {!emailVerified && ` · ${t("Not verified")}`}
      </p>
      <p className="text-[0.8125rem] text-soft">
        {t("{count, plural, one {# organization} other {# organizations}}", { count: organizations })} ·{" "}
        {lastSignedInAt === null ? (
          <>
            {t("Added")} <Moment at={createdAt} />
          </>
        ) : (
          <>
            {t("Last signed in")} <Ago at={lastSignedInAt} />
          </>
        )}
      </p>
    </div>
    {!isSelf && (
      <div className="flex flex-wrap gap-2">
        {!isAdmin && disabledAt === null && (
          <Button onPress={() => onAct("impersonate")} aria-label={t("Act as {name}", { name })}>
            {t("Act as")}
          </Button>
        )}
        {disabledAt === null ? (
          !isAdmin && (
            <Button onPress={() => onAct("disable")} aria-label={t("Disable {name}", { name })}>
              {t("Disable")}
            </Button>
          )
        ) : (
          <Button onPress={() => onAct("enable")} aria-label={t("Enable {name}", { name })}>
            {t("Enable")}
          </Button>
        )}
      </div>
    )}
  </li>
)

export const Accounts = ({ selfId }: { readonly selfId: string }) => {
  const client = useQueryClient()
  const [typed, setTyped] = useState("")
  const q = useDeferredValue(typed.trim())
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...accountsQuery(q),
    placeholderData: keepPreviousData
  })
  const [asked, setAsked] = useState<{ readonly act: Act; readonly account: AccountOfAll } | undefined>(undefined)
  const { errors, isBusy, submit } = useSubmit()
  const enabling = useSubmit()
  const accounts = data?.pages.flatMap(({ items }) => items)

  const run = async (act: Act, { id }: AccountOfAll) => {
    await request("POST", `/installation/accounts/${id}/${act}`)
    // Nothing of the own account is kept.
    if (act === "impersonate") location.assign("/")
    else await client.invalidateQueries({ queryKey: ["installation", "accounts"] })
    setAsked(undefined)
  }
  const begin = (act: Act, account: AccountOfAll) => {
    if (act === "enable") void enabling.submit(() => run(act, account))
    else setAsked({ act, account })
  }
  const name = asked?.account.name ?? ""

  return (
    <Section title={t("Accounts")}>
      {error !== null && <Notice>{error.message}</Notice>}
      <FormProblem errors={enabling.errors} />
      <TextField
        label={t("Search by name or address")}
        type="search"
        value={typed}
        onChange={setTyped}
        autoComplete="off"
      />
      {accounts?.length === 0 && <p className="text-sm text-soft">{t("Nothing matches")}</p>}
      {accounts !== undefined && accounts.length > 0 && (
        <ul aria-label={t("Accounts")} className="-my-1 divide-y divide-line">
          {accounts.map((account) => (
            <Row
              key={account.id}
              account={account}
              isSelf={account.id === selfId}
              onAct={(act) => begin(act, account)}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="flex justify-center">
          <Button onPress={() => void fetchNextPage()} isDisabled={isFetchingNextPage}>
            {t("Show more")}
          </Button>
        </div>
      )}
      <Confirm
        title={asked?.act === "impersonate" ? t("Act as {name}?", { name }) : t("Disable {name}?", { name })}
        action={asked?.act === "impersonate" ? t("Act as {name}", { name }) : t("Disable")}
        isOpen={asked !== undefined}
        isBusy={isBusy}
        errors={errors}
        onClose={() => setAsked(undefined)}
        onConfirm={() =>
          void submit(async () => {
            if (asked !== undefined) await run(asked.act, asked.account)
          })
        }
      >
        <p>
          {asked?.act === "impersonate"
            ? t(
                "For an hour at most you see what this person sees, and can do at most what an editor can. It is recorded in the audit log, where they see it too."
              )
            : t("They are signed out at once and cannot sign in. Their organizations and monitors go on.")}
        </p>
      </Confirm>
    </Section>
  )
}
