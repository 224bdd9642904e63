/** Which group of the identity provider gives which role. */
import { roleName, roleOptions } from "../../locales/roles.ts"
import { t } from "../../locales/text.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { allRoles } from "../../api/permissions.ts"
import type { GroupRole, Role } from "./queries.ts"

const refused = "none"

export const GroupRoles = ({
  defaultRole,
  error,
  onChange,
  onDefault,
  roles
}: {
  readonly roles: ReadonlyArray<GroupRole>
  readonly onChange: (roles: ReadonlyArray<GroupRole>) => void
  readonly defaultRole: Role | null
  readonly onDefault: (role: Role | null) => void
  readonly error: string | undefined
}) => {
  const put = (index: number, part: Partial<GroupRole>) =>
    onChange(roles.map((each, at) => (at === index ? { ...each, ...part } : each)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-semibold">{t("Groups and roles")}</legend>
      <p className="text-small text-soft">
        {t("At every sign-in a member gets the highest role that one of their groups gives.")}
      </p>
      {roles.map(({ group, role }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no name but their place
        <div key={index} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <TextField
              label={t("Group")}
              value={group}
              onChange={(value) => put(index, { group: value })}
              autoComplete="off"
              spellCheck="false"
            />
          </div>
          <div className="min-w-0 flex-1">
            <Select
              label={t("Role")}
              options={roleOptions(allRoles)}
              value={role}
              onChange={(id) => put(index, { role: id as Role })}
            />
          </div>
          <IconButton
            aria-label={t("Remove {name}", { name: group === "" ? t("Group") : group })}
            onPress={() => onChange(roles.filter((_, at) => at !== index))}
          >
            <Icon name="trash" />
          </IconButton>
        </div>
      ))}
      <div>
        <Button onPress={() => onChange([...roles, { group: "", role: "responder" }])}>
          <Icon name="plus" />
          {t("Add a group")}
        </Button>
      </div>
      {error !== undefined && <p className="text-small font-medium text-down">{error}</p>}
      <Select
        label={t("People in none of these groups")}
        help={t("Invited people keep the role of the invitation, or the one that was given later.")}
        options={[...allRoles.map((id) => ({ id, label: roleName(id) })), { id: refused, label: t("May not sign in") }]}
        value={defaultRole ?? refused}
        onChange={(id) => onDefault(id === refused ? null : (id as Role))}
      />
    </fieldset>
  )
}
