/** Members whose role is higher in one project than in its organization. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { membersQuery } from "../../api/people.ts"
import { includes, type Role } from "../../api/permissions.ts"
import { reasonOf } from "../../api/problem.ts"
import type { CurrentProject } from "../../api/session.ts"
import { useFirst } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { roleName, roleOptions, roleRights } from "../../locales/roles.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { HeldList } from "../../ui/HeldList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Section } from "../../ui/Section.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { givable, projectMembersQuery } from "./queries.ts"
import { useRaiseRole, useTakeBackRole } from "./writes.ts"

const RaiseForm = ({
  onClose,
  onRaised,
  project
}: {
  readonly project: CurrentProject
  readonly onClose: () => void
  readonly onRaised: () => void
}) => {
  const { data: members = [] } = useQuery(membersQuery(project.organizationId))
  const { mutateAsync: give } = useRaiseRole(project)
  const [userId, setUserId] = useState<string | undefined>(undefined)
  const [wanted, setWanted] = useState<Role | undefined>(undefined)
  const { errors, isBusy, submit } = useSubmit()
  // A role in a project is raised, never lowered.
  const higher = (role: Role) => givable(project.role).filter((each) => each !== role && includes(each, role))
  const candidates = members.filter(({ role }) => higher(role).length > 0)
  const person = candidates.find((member) => member.userId === userId) ?? candidates[0]
  const options = person === undefined ? [] : higher(person.role)
  const role = wanted !== undefined && options.includes(wanted) ? wanted : options[0]
  if (person === undefined || role === undefined)
    return <p className="text-soft">{t("Nobody has a role that can be raised.")}</p>
  const raise = () =>
    submit(async () => {
      await give({ userId: person.userId, role })
      onRaised()
    })
  return (
    <DialogForm action={t("Raise the role")} errors={errors} isBusy={isBusy} onClose={onClose} onSend={raise}>
      <Select
        label={t("Member")}
        options={candidates.map(({ name, role, userId }) => ({ id: userId, label: name, help: roleName(role) }))}
        value={person.userId}
        onChange={setUserId}
      />
      <Select
        label={t("Role in this project")}
        options={roleOptions(options)}
        value={role}
        help={roleRights(role)}
        onChange={(id) => setWanted(id as Role)}
      />
    </DialogForm>
  )
}

const userIdOf = ({ userId }: { readonly userId: string }): string => userId

export const ProjectRoles = ({ project }: { readonly project: CurrentProject }) => {
  const { data: members, error } = useFirst(projectMembersQuery(project.id))
  const takeBack = useTakeBackRole(project)
  const [isOpen, setOpen] = useState(false)
  const raised = members?.filter(({ projectRole }) => projectRole !== null)
  return (
    <Section
      title={t("Higher roles in the project {name}", { name: project.name })}
      actions={
        <Button onPress={() => setOpen(true)}>
          <Icon name="plus" />
          {t("Raise a role")}
        </Button>
      }
    >
      {takeBack.error !== null && <Refusal onClose={takeBack.reset}>{reasonOf(takeBack.error)}</Refusal>}
      <HeldList
        label={t("Higher roles")}
        items={raised}
        keyOf={userIdOf}
        error={error}
        rowClass="flex items-center gap-2 py-2.5"
        empty={<p className="text-sm text-soft">{t("Everybody has the role of the organization here.")}</p>}
      >
        {({ name, role, userId }) => (
          <>
            <p className="min-w-0 flex-1 text-sm">
              <bdi className="font-medium break-words">{name}</bdi> <span className="text-soft">{roleName(role)}</span>
            </p>
            <Button
              isDisabled={takeBack.isPending}
              aria-label={t("Take back the role of {name}", { name })}
              onPress={() => takeBack.mutate(userId)}
            >
              {t("Take back")}
            </Button>
          </>
        )}
      </HeldList>
      <Dialog title={t("Raise a role in {name}", { name: project.name })} isOpen={isOpen} onOpenChange={setOpen}>
        <RaiseForm project={project} onClose={() => setOpen(false)} onRaised={() => setOpen(false)} />
      </Dialog>
    </Section>
  )
}
