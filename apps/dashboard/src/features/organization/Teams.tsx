/** Teams: named sets of members. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { membersQuery, type Team, teamsQuery } from "../../api/people.ts"
import type { OrganizationRecord } from "../../api/organizations.ts"
import { permits } from "../../api/permissions.ts"
import { useFirst } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { PickList } from "../../ui/PickList.tsx"
import { Section } from "../../ui/Section.tsx"
import { useDeleteTeam, useSaveTeam } from "./writes.ts"

const TeamForm = ({
  onClose,
  onSaved,
  organization,
  team
}: {
  readonly organization: OrganizationRecord
  /** Undefined for a new one. */
  readonly team: Team | undefined
  readonly onClose: () => void
  readonly onSaved: () => void
}) => {
  const { data: members = [] } = useQuery(membersQuery(organization.id))
  const [name, setName] = useState(team?.name ?? "")
  const [chosen, setChosen] = useState<ReadonlyArray<string>>(team?.memberIds ?? [])
  const { errors, isBusy, submit } = useSubmit(["name"])
  const { mutateAsync: saveTeam } = useSaveTeam(organization.id, team)
  const save = () =>
    submit(async () => {
      await saveTeam({ name: name.trim(), memberIds: chosen })
      onSaved()
    })
  return (
    <DialogForm
      action={team === undefined ? t("Create the team") : t("Save")}
      errors={errors}
      isBusy={isBusy}
      isReady={name.trim() !== ""}
      onClose={onClose}
      onSend={save}
    >
      <TextField
        label={t("Name")}
        value={name}
        onChange={setName}
        error={errors.fields["name"]}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <div className="flex flex-col gap-1">
        <p className="text-sm font-medium" aria-hidden>
          {t("Members")}
        </p>
        <PickList
          label={t("Members")}
          options={members.map(({ name, userId }) => ({ id: userId, label: name }))}
          value={chosen}
          onChange={setChosen}
        />
      </div>
    </DialogForm>
  )
}

type Open =
  { readonly kind: "edit"; readonly team?: Team } | { readonly kind: "delete"; readonly team: Team } | undefined

export const Teams = ({ organization }: { readonly organization: OrganizationRecord }) => {
  const { data: teams, error } = useFirst(teamsQuery(organization.id))
  const { mutateAsync: remove } = useDeleteTeam(organization.id)
  const { data: members = [] } = useFirst(membersQuery(organization.id))
  const [open, setOpen] = useState<Open>(undefined)
  const { errors, isBusy, submit } = useSubmit()
  const mayWrite = permits(organization.role, "teams.write")
  const close = () => setOpen(undefined)
  const namesOf = ({ memberIds }: Team): string =>
    members
      .filter(({ userId }) => memberIds.includes(userId))
      .map(({ name }) => name)
      .join(", ")
  return (
    <Section
      title={t("Teams")}
      actions={
        mayWrite && (
          <Button onPress={() => setOpen({ kind: "edit" })}>
            <Icon name="plus" />
            {t("New team")}
          </Button>
        )
      }
    >
      <HeldList
        label={t("Teams")}
        items={teams}
        keyOf={idOf}
        error={error}
        rowClass="flex items-center gap-2 py-2.5"
        empty={
          <p className="text-sm text-soft">
            {t("No team yet. A team is a set of members with a name, such as “On call”.")}
          </p>
        }
      >
        {(team) => (
          <>
            <div className="min-w-0 flex-1">
              <p className="text-sm font-medium">
                <bdi className="break-words">{team.name}</bdi>
              </p>
              <p className="text-small break-words text-soft">
                {team.memberIds.length === 0 ? t("No members") : namesOf(team)}
              </p>
            </div>
            {mayWrite && (
              <>
                <IconButton
                  aria-label={t("Edit {name}", { name: team.name })}
                  onPress={() => setOpen({ kind: "edit", team })}
                >
                  <Icon name="edit" />
                </IconButton>
                <IconButton
                  aria-label={t("Delete {name}", { name: team.name })}
                  onPress={() => setOpen({ kind: "delete", team })}
                >
                  <Icon name="trash" />
                </IconButton>
              </>
            )}
          </>
        )}
      </HeldList>
      <Dialog
        title={open?.team === undefined ? t("New team") : t("Edit {name}", { name: open.team.name })}
        isOpen={open?.kind === "edit"}
        onOpenChange={close}
      >
        {open?.kind === "edit" && (
          <TeamForm organization={organization} team={open.team} onClose={close} onSaved={close} />
        )}
      </Dialog>
      <Confirm
        title={t("Delete {name}?", { name: open?.team?.name ?? "" })}
        action={t("Delete")}
        isOpen={open?.kind === "delete"}
        isBusy={isBusy}
        errors={errors}
        onClose={close}
        onConfirm={() =>
          void submit(async () => {
            if (open?.kind !== "delete") return
            await remove(open.team.id)
            close()
          })
        }
      >
        <p>{t("Its members stay in the organization.")}</p>
      </Confirm>
    </Section>
  )
}
