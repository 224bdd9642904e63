/** The accounts of the installation: search, disable, and act as somebody. */
import { addressOf } from "../../browser/place.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"
import { Directory, DisableButton, DisabledMark } from "./Directory.tsx"
import { type AccountOfAll, accountsQuery } from "./people.ts"
import { useImpersonate, useSwitchAccount } from "./writes.ts"

type Act = "disable" | "enable" | "impersonate"

const Row = ({
  account,
  isSelf,
  onAct
}: {
  readonly account: AccountOfAll
  readonly isSelf: boolean
  readonly onAct: (act: Act) => void
}) => {
  const { createdAt, disabledAt, email, emailVerified, isAdmin, lastSignedInAt, name, organizations } = account
  return (
    <>
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-sm font-medium">
          <bdi className="break-words">{name}</bdi>
          {isSelf && <span className="ms-2 text-small font-normal text-accent">{t("You")}</span>}
          {isAdmin && <span className="ms-2 text-small font-normal text-soft">{t("Administrator")}</span>}
          <DisabledMark record={account} />
        </p>
        <p className="text-small text-soft">
          <bdi className="break-all">{email}</bdi>
          {!emailVerified && ` · ${t("Not verified")}`}
        </p>
        <p className="text-small text-soft">
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
          {(!isAdmin || disabledAt !== null) && <DisableButton record={account} onAct={onAct} />}
        </div>
      )}
    </>
  )
}

const question = (act: Act, { name }: AccountOfAll) => {
  switch (act) {
    case "impersonate":
      return {
        title: t("Act as {name}?", { name }),
        action: t("Act as {name}", { name }),
        consequence: t(
          "For an hour at most you see what this person sees, and can do at most what an editor can. It is recorded in the audit log, where they see it too."
        )
      }
    case "disable":
      return {
        title: t("Disable {name}?", { name }),
        action: t("Disable"),
        consequence: t("They are signed out at once and cannot sign in. Their organizations and monitors go on.")
      }
    case "enable":
      return undefined
  }
}

export const Accounts = ({ selfId }: { readonly selfId: string }) => {
  const { mutateAsync: change } = useSwitchAccount()
  const { mutateAsync: impersonate } = useImpersonate()
  return (
    <Directory<AccountOfAll, Act>
      listOf={accountsQuery}
      act={async (act, id) => {
        if (act !== "impersonate") return change({ act, id })
        await impersonate(id)
        // Nothing of the own account is kept.
        location.assign(addressOf("/"))
      }}
      title={t("Accounts")}
      searchLabel={t("Search by name or address")}
      question={question}
      row={(account, onAct) => <Row account={account} isSelf={account.id === selfId} onAct={onAct} />}
    />
  )
}
