/** Invites people, several at once, and lists who has not answered yet. */
import type { Role } from "@kanmon/domain/Role"
import { useState } from "react"
import { methodsQuery } from "../../api/methods.ts"
import type { OrganizationRecord } from "../../api/organizations.ts"
import { reasonOf } from "../../api/problem.ts"
import { useFirst, useFirsts } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { roleName, roleOptions } from "../../locales/roles.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Section } from "../../ui/Section.tsx"
import { Moment } from "../../ui/Time.tsx"
import { Outcome as Said, Refusal } from "../../ui/Toast.tsx"
import { addressesIn } from "./addresses.ts"
import { givable, type Invitation, invitationsQuery } from "./queries.ts"
import { type Invited, useInvite, useResendInvitation, useRevokeInvitation } from "./writes.ts"

const none: Invited = { invited: [], refused: [], limit: undefined }

const InviteForm = ({
  onClose,
  organization
}: {
  readonly organization: OrganizationRecord
  readonly onClose: () => void
}) => {
  const { mutateAsync: invite } = useInvite(organization.id)
  const [text, setText] = useState("")
  const [role, setRole] = useState<Role>("responder")
  const [outcome, setOutcome] = useState(none)
  const { errors, isBusy, submit } = useSubmit()
  const emails = addressesIn(text)
  const send = () =>
    submit(async () => {
      const result = await invite({ emails, role })
      // What was refused stays in the field, to be mended.
      const gone = new Set(result.invited.map(({ email }) => email.toLowerCase()))
      setText(emails.filter((email) => !gone.has(email.toLowerCase())).join("\n"))
      setOutcome(result)
      if (result.refused.length === 0) onClose()
    })
  return (
    <DialogForm
      action={
        emails.length < 2
          ? t("Invite")
          : t("{count, plural, one {Invite # person} other {Invite # people}}", { count: emails.length })
      }
      errors={errors}
      isBusy={isBusy}
      isReady={emails.length > 0}
      onClose={onClose}
      onSend={send}
    >
      <TextField
        label={t("E-mail addresses")}
        help={t("One or several, on lines of their own or with commas between them")}
        rows={3}
        value={text}
        onChange={setText}
        isRequired
        autoFocus
        autoComplete="off"
        spellCheck="false"
        inputMode="email"
      />
      <Select label={t("Role")} options={roleOptions(givable(organization.role))} value={role} onChange={setRole} />
      {outcome.limit === undefined
        ? outcome.refused.map(({ email, reason }) => (
            <Notice key={email}>
              <bdi className="font-medium break-all">{email}</bdi>: {reason}
            </Notice>
          ))
        : outcome.refused.length > 0 && <FormProblem errors={outcome.limit} />}
    </DialogForm>
  )
}

const Row = ({
  invitation: { email, expiresAt, invitedBy, role },
  isBusy,
  onResend,
  onRevoke
}: {
  readonly invitation: Invitation
  readonly isBusy: boolean
  readonly onResend: () => void
  readonly onRevoke: () => void
}) => {
  const isOver = Date.parse(expiresAt) <= Date.now()
  return (
    <>
      <div className="min-w-0 flex-1 basis-56">
        <p className="text-sm font-medium">
          <bdi className="break-all">{email}</bdi>
        </p>
        <p className="text-small text-soft">
          {roleName(role)} · {t("invited by {name}", { name: invitedBy.name })} ·{" "}
          {isOver ? <span className="font-medium text-down">{t("Expired")}</span> : t("Expires")}{" "}
          <Moment at={expiresAt} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onPress={onResend} isDisabled={isBusy} aria-label={t("Send again to {email}", { email })}>
          {t("Send again")}
        </Button>
        <Button onPress={onRevoke} aria-label={t("Revoke the invitation of {email}", { email })}>
          {t("Revoke")}
        </Button>
      </div>
    </>
  )
}

export const Invitations = ({ organization }: { readonly organization: OrganizationRecord }) => {
  useFirsts(methodsQuery, invitationsQuery(organization.id))
  const { data: methods } = useFirst(methodsQuery)
  const { data: invitations, error } = useFirst(invitationsQuery(organization.id))
  const [isOpen, setOpen] = useState(false)
  const [revoking, setRevoking] = useState<Invitation | undefined>(undefined)
  const [sentTo, setSentTo] = useState<string | undefined>(undefined)
  const resend = useResendInvitation(organization.id)
  const { mutateAsync: revoke } = useRevokeInvitation(organization.id)
  const revocation = useSubmit()
  return (
    <Section
      title={t("Invitations")}
      actions={
        <Button kind="primary" onPress={() => setOpen(true)}>
          <Icon name="plus" />
          {t("Invite people")}
        </Button>
      }
    >
      {methods?.mail === false && (
        <Notice tone="degraded">
          {t("This installation sends no mail: the link of each invitation is printed on the console of the server.")}
        </Notice>
      )}
      {resend.error !== null && <Refusal onClose={resend.reset}>{reasonOf(resend.error)}</Refusal>}
      {sentTo !== undefined && (
        <Said tone="up" onClose={() => setSentTo(undefined)}>
          {methods?.mail === false
            ? t("A new link for {email} is printed on the console of the server.", { email: sentTo })
            : t("A new mail is on its way to {email}.", { email: sentTo })}
        </Said>
      )}
      <HeldList
        label={t("Invitations")}
        items={invitations}
        keyOf={idOf}
        error={error}
        rowClass="flex flex-wrap items-center gap-x-4 gap-y-2 py-3"
        empty={
          <p className="text-sm text-soft">
            {t("Nobody is invited at the moment. An invitation is valid for seven days.")}
          </p>
        }
      >
        {(invitation) => (
          <Row
            invitation={invitation}
            isBusy={resend.isPending}
            onRevoke={() => setRevoking(invitation)}
            onResend={() => {
              setSentTo(undefined)
              resend.mutate(invitation.id, { onSuccess: ({ email }) => setSentTo(email) })
            }}
          />
        )}
      </HeldList>
      <Dialog title={t("Invite people to {name}", { name: organization.name })} isOpen={isOpen} onOpenChange={setOpen}>
        <InviteForm organization={organization} onClose={() => setOpen(false)} />
      </Dialog>
      <Confirm
        title={t("Revoke this invitation?")}
        action={t("Revoke")}
        isOpen={revoking !== undefined}
        isBusy={revocation.isBusy}
        errors={revocation.errors}
        onClose={() => setRevoking(undefined)}
        onConfirm={() =>
          void revocation.submit(async () => {
            if (revoking === undefined) return
            await revoke(revoking.id)
            setRevoking(undefined)
          })
        }
      >
        <p>{t("The link in the mail to {email} stops working.", { email: revoking?.email ?? "" })}</p>
      </Confirm>
    </Section>
  )
}
