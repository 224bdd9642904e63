/** The members of an organization: who they are, what they may do, and the change of that. */
import { useState } from "react"
import { type Member, membersQuery } from "../../api/people.ts"
import type { OrganizationRecord } from "../../api/organizations.ts"
import { includes, permits, type Role } from "../../api/permissions.ts"
import { noErrors } from "../../api/problem.ts"
import { useFirst } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { roleName, roleOptions, roleRights } from "../../locales/roles.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { classes } from "../../ui/classes.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { goneClass, useHeldBy } from "../../ui/held.ts"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { Ago } from "../../ui/Time.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
import { givable } from "./queries.ts"
import { useChangeRole, useLeaveOrganization, useRemoveMember } from "./writes.ts"

/** So few that nobody needs to search. */
const fewEnough = 8

const sources = (): Readonly<Record<Member["source"], string | undefined>> => ({
  founder: undefined,
  invitation: undefined,
  sso: t("through single sign-on"),
  scim: t("provisioned by the directory")
})

/** What stands against paging a member; nothing where critical alerts reach them. */
const reachWords = (reachable: Member["reachable"]): string | undefined =>
  ({
    yes: undefined,
    emailOnly: t("Critical alerts reach them by email alone."),
    no: t("Critical alerts do not reach them.")
  })[reachable]

const Row = ({
  isGone,
  isOnlyOwner,
  isSelf,
  member,
  onRemove,
  onRole,
  own
}: {
  readonly member: Member
  readonly own: Role
  readonly isGone: boolean
  readonly isSelf: boolean
  readonly isOnlyOwner: boolean
  readonly onRole: (role: Role) => void
  readonly onRemove: () => void
}) => {
  const { createdAt, email, lastSeenAt, name, reachable, role, source, twoFactor } = member
  const reach = role === "viewer" ? undefined : reachWords(reachable)
  const mayChange = permits(own, "members.write") && includes(own, role) && !isOnlyOwner
  const came = sources()[source]
  return (
    <li className={classes("flex flex-wrap items-start gap-x-4 gap-y-2 py-3", isGone && goneClass)}>
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-sm font-medium">
          <bdi className="break-words">{name}</bdi>
          {isSelf && <span className="ms-2 text-small font-normal text-accent">{t("You")}</span>}
        </p>
        <p className="text-small text-soft">
          <bdi className="break-all">{email}</bdi>
        </p>
        <p className="text-small text-soft">
          {lastSeenAt === null ? (
            <>
              {t("Member since")} <Ago at={createdAt} />
            </>
          ) : (
            <>
              {t("Last seen")} <Ago at={lastSeenAt} />
            </>
          )}
          {twoFactor && ` · ${t("second factor")}`}
          {came !== undefined && ` · ${came}`}
        </p>
        {reach !== undefined && <p className="text-small text-degraded">{reach}</p>}
      </div>
      <div className="flex min-w-0 flex-1 basis-64 flex-wrap items-start justify-end gap-2 max-sm:justify-start">
        {mayChange ? (
          <div className="min-w-0 flex-1">
            <Select
              label={t("Role of {name}", { name })}
              isLabelHidden
              options={roleOptions(givable(own))}
              value={role}
              onChange={(id) => onRole(id as Role)}
              help={roleRights(role)}
            />
          </div>
        ) : (
          <div className="min-w-0 flex-1">
            <p className="text-sm">{roleName(role)}</p>
            <p className="text-small leading-snug text-soft">
              {isOnlyOwner && permits(own, "members.write")
                ? t("The only owner: make somebody else an owner first to change this.")
                : roleRights(role)}
            </p>
          </div>
        )}
        {(mayChange || (isSelf && !isOnlyOwner)) && (
          <Button onPress={onRemove} aria-label={isSelf ? undefined : t("Remove {name}", { name })}>
            {isSelf ? t("Leave the organization") : t("Remove")}
          </Button>
        )}
      </div>
    </li>
  )
}

const none: ReadonlyArray<Member> = []
const userIdOf = ({ userId }: Member): string => userId

export const Members = ({
  onLeave,
  organization,
  selfId
}: {
  readonly organization: OrganizationRecord
  readonly selfId: string
  /** Leads to a page of another organization. */
  readonly onLeave: () => Promise<void>
}) => {
  const { data: members, error } = useFirst(membersQuery(organization.id))
  const { mutateAsync: give } = useChangeRole(organization.id, selfId)
  const { mutateAsync: expel } = useRemoveMember(organization.id)
  const { mutateAsync: leave } = useLeaveOrganization(organization.id, onLeave)
  const [leaving, setLeaving] = useState<Member | undefined>(undefined)
  const [wanted, setWanted] = useState("")
  const change = useSubmit()
  const removal = useSubmit()
  const owners = members?.filter(({ role }) => role === "owner").length ?? 0
  const found = members?.filter(({ email, name }) => `${name}\n${email}`.toLowerCase().includes(wanted.toLowerCase()))

  const held = useHeldBy(found ?? none, userIdOf, { reset: `${found === undefined} ${wanted}` })

  const remove = () =>
    removal.submit(async () => {
      if (leaving === undefined) return
      await (leaving.userId === selfId ? leave : expel)(leaving.userId)
      setLeaving(undefined)
    })

  return (
    <Section title={t("Members")}>
      {members === undefined && error !== null && <Notice>{error.message}</Notice>}
      {change.errors.general !== undefined && (
        <Refusal onClose={() => change.setErrors(noErrors)}>{change.errors.general}</Refusal>
      )}
      {(held.rows.length > fewEnough || wanted !== "") && (
        <TextField label={t("Search")} type="search" value={wanted} onChange={setWanted} />
      )}
      <Waiting held={held} />
      {found !== undefined && (
        <ul aria-label={t("Members")} className="-my-1 divide-y divide-line">
          {held.rows.map((member) => (
            <Row
              key={member.userId}
              member={member}
              isGone={held.isGone(member)}
              own={organization.role}
              isSelf={member.userId === selfId}
              isOnlyOwner={member.role === "owner" && owners === 1}
              onRole={(role) => void change.submit(() => give({ userId: member.userId, role }))}
              onRemove={() => setLeaving(member)}
            />
          ))}
        </ul>
      )}
      <Confirm
        title={
          leaving?.userId === selfId
            ? t("Leave {name}?", { name: organization.name })
            : t("Remove {name}?", { name: leaving?.name ?? "" })
        }
        action={leaving?.userId === selfId ? t("Leave the organization") : t("Remove")}
        isOpen={leaving !== undefined}
        isBusy={removal.isBusy}
        errors={removal.errors}
        onClose={() => setLeaving(undefined)}
        onConfirm={() => void remove()}
      >
        <p>
          {leaving?.userId === selfId
            ? t("You lose access to its projects at once. To come back you need a new invitation.")
            : t("Access to the projects ends at once, in open browsers too. What they created stays.")}
        </p>
      </Confirm>
    </Section>
  )
}
