/** An invitation: the inviter, the organization, and the role. */
import { roleName, roleRights } from "../../locales/roles.ts"
import { t } from "../../locales/text.ts"
import { classes, surfaceClass } from "../../ui/classes.ts"
import { Moment } from "../../ui/Time.tsx"
import type { InvitationRecord } from "./queries.ts"

export const InvitationCard = ({
  invitation: { email, expiresAt, invitedBy, organizationName, role }
}: {
  readonly invitation: InvitationRecord
}) => (
  <section className={classes(surfaceClass, "flex flex-col gap-4 p-4 sm:p-5")} aria-label={t("Invitation")}>
    <p>
      {t("{name} invites you to the organization {organization}.", {
        name: invitedBy,
        organization: organizationName
      })}
    </p>
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
      <dt className="text-soft">{t("Your role")}</dt>
      <dd>
        <span className="font-medium">{roleName(role)}</span>
        <br />
        <span className="text-soft">{roleRights(role)}</span>
      </dd>
      <dt className="text-soft">{t("For")}</dt>
      <dd>
        <bdi className="break-all">{email}</bdi>
      </dd>
      <dt className="text-soft">{t("Valid until")}</dt>
      <dd>
        <Moment at={expiresAt} />
      </dd>
    </dl>
  </section>
)
