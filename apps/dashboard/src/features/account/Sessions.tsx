/** Where the account is signed in, and the end of that. */
import { useFirst } from "../../api/Parts.tsx"
import { refusalOf } from "../../api/write.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { partClass } from "../../ui/classes.ts"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { browserName } from "./browserName.ts"
import { type OwnSession, sessionsQuery } from "./queries.ts"
import { useEndOtherSessions, useEndSession } from "./writes.ts"

const titleOf = ({ name, userAgent }: OwnSession): string => {
  if (name !== null) return name
  const { browser, system } = browserName(userAgent ?? "")
  if (browser !== undefined && system !== undefined) return t("{browser} on {system}", { browser, system })
  return browser ?? system ?? (userAgent ?? "").slice(0, 60)
}

const Entry = ({ onEnd, session }: { readonly session: OwnSession; readonly onEnd: () => void }) => {
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
          {t("Signed in")} <Ago at={session.createdAt} /> · {t("Ends|session")} <Moment at={session.expiresAt} />
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
  const { data: sessions, error } = useFirst(sessionsQuery)
  const one = useEndSession()
  const all = useEndOtherSessions()
  const { dismiss, refusal } = refusalOf([one, all])
  const others = sessions?.filter(({ current }) => !current) ?? []
  return (
    <section className={partClass}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>{t("Sessions")}</h2>
        {others.length > 1 && (
          <Button
            onPress={() => {
              dismiss()
              all.mutate()
            }}
          >
            {t("Sign out all other browsers")}
          </Button>
        )}
      </div>
      {refusal !== undefined && <Refusal onClose={dismiss}>{refusal}</Refusal>}
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
            onEnd={() => {
              dismiss()
              one.mutate(session.id)
            }}
          />
        )}
      </HeldList>
      <p className="text-small text-soft">
        {t("A session that you do not know? Sign it out, and change your password.")}
      </p>
    </section>
  )
}
