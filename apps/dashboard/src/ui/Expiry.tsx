/** The end of what lets somebody in, such as an API key: how it is chosen, and what a list says of it. */
import { t } from "../locales/text.ts"
import { Select } from "./Choice.tsx"
import { Ago, Moment } from "./Time.tsx"

const dayMillis = 86_400_000

const never = { id: "never", label: () => t("Never") }
const ends = [
  { id: "7", label: () => t("In 7 days") },
  { id: "30", label: () => t("In 30 days") },
  { id: "90", label: () => t("In 90 days") },
  { id: "365", label: () => t("In one year") }
]

/** `atLeast`: the fewest days that can be chosen. */
export const ExpirySelect = ({
  atLeast = 0,
  error,
  onChange,
  value
}: {
  readonly atLeast?: number
  readonly error?: string | undefined
  readonly onChange: (end: string) => void
  readonly value: string
}) => (
  <Select
    label={t("Expires")}
    options={[never, ...ends.filter(({ id }) => Number(id) >= atLeast)].map(({ id, label }) => ({
      id,
      label: label()
    }))}
    value={value}
    onChange={onChange}
    error={error}
  />
)

/** The time of a chosen end; null: never. */
export const expiresAtOf = (end: string): string | null =>
  end === never.id ? null : new Date(Date.now() + Number(end) * dayMillis).toISOString()

export interface Credential {
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly createdBy: { readonly name: string }
}

export const ExpiredMark = ({ of: { expiresAt } }: { readonly of: Credential }) =>
  expiresAt !== null &&
  Date.parse(expiresAt) <= Date.now() && <span className="text-small font-medium text-down">{t("Expired")}</span>

/** When it was last used, when it ends, and who made it. */
export const CredentialFacts = ({ of: { createdBy, expiresAt, lastUsedAt } }: { readonly of: Credential }) => (
  <p className="text-small text-soft">
    {lastUsedAt === null ? t("Never used") : t("Last used")} {lastUsedAt !== null && <Ago at={lastUsedAt} />}
    {" · "}
    {expiresAt === null ? (
      t("Does not expire")
    ) : (
      <>
        {t("Expires")} <Moment at={expiresAt} />
      </>
    )}
    {" · "}
    {t("Created by {name}", { name: createdBy.name })}
  </p>
)
