/** Where the account is signed in, and the end of that. */
import type { AccountSession } from "@kanmon/protocol/AccountBody"
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { reasonOf } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { partClass } from "../../ui/classes.ts"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { browserName } from "./browserName.ts"

type Session = typeof AccountSession.Encoded

export const sessionsQuery = queryOptions({
  queryKey: ["account-sessions"],
  queryFn: ({ signal }) => request("GET /account/sessions", { signal }),
  // Others come and go without an event.
  staleTime: 0
})

const titleOf = ({ name, userAgent }: Session): string => {
  if (name !== null) return name
  const { browser, system } = browserName(userAgent ?? "")
  if (browser !== undefined && system !== undefined) return t("{browser} on {system}", { browser, system })
  return browser ?? system ?? (userAgent ?? "").slice(0, 60)
}

const Entry = ({ onEnd, session }: { readonly session: Session; readonly onEnd: () => void }) => {
  const title = titleOf(session)
  const name = title === "" ? t("Unknown browser") : title
  return (
    <>
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium">
          <bdi className="break-words">{name}</bdi>
          {session.name !== null && <span className="ms-2 text-small font-normal text-soft">{t("Program")}</span>}
          {session.current && <span className="ms-2 text-small font-normal text-accent">{t("This browser")}</span>}
        </p>
        <p className="text-small text-soft">
          {session.ipAddress !== null && session.ipAddress !== "" && (
            <>
              <bdi>{session.ipAddress}</bdi> ·{" "}
            </>
          )}
          {t("Signed in")} <Ago at={session.createdAt} /> · {t("Ends")} <Moment at={session.expiresAt} />
        </p>
      </div>
      {!session.current && (
        <Button onPress={onEnd} aria-label={t("Sign out {name}", { name })}>
          {t("Sign out")}
        </Button>
      )}
    </>
  )
}

export const Sessions = () => {
  const client = useQueryClient()
  const { data: sessions, error } = useQuery(sessionsQuery)
  const [failure, setFailure] = useState<string | undefined>(undefined)
  const end = async (work: () => Promise<unknown>) => {
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(reasonOf(error))
    }
    await client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
  const others = sessions?.filter(({ current }) => !current) ?? []
  return (
    <section className={partClass}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>{t("Sessions")}</h2>
        {others.length > 1 && (
          <Button onPress={() => void end(() => request("DELETE /account/sessions"))}>
            {t("Sign out all other browsers")}
          </Button>
        )}
      </div>
      {failure !== undefined && <Refusal onClose={() => setFailure(undefined)}>{failure}</Refusal>}
      <HeldList
        label={t("Sessions")}
        items={sessions}
        keyOf={idOf}
        error={error}
        className="flex flex-col divide-y divide-line"
        rowClass="flex min-w-0 items-center gap-3 py-2.5"
      >
        {(session) => (
          <Entry
            session={session}
            onEnd={() =>
              void end(() => request("DELETE /account/sessions/:sessionId", { params: { sessionId: session.id } }))
            }
          />
        )}
      </HeldList>
      <p className="text-small text-soft">
        {t("A session that you do not know? Sign it out, and change your password.")}
      </p>
    </section>
  )
}
