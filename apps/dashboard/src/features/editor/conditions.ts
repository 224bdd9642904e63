/** Which fields make sense only with a value of another one. Pure; a type without the other field shows all of its fields. */

interface Condition {
  /** The other field. */
  readonly field: string
  /** Its values; any that is not empty if absent. */
  readonly values?: ReadonlyArray<string>
}

const conditions: Readonly<Record<string, Condition>> = {
  username: { field: "authentication", values: ["basic", "digest"] },
  password: { field: "authentication", values: ["basic", "digest"] },
  token: { field: "authentication", values: ["bearer"] },
  body: { field: "method", values: ["POST", "PUT", "PATCH"] },
  bodyType: { field: "method", values: ["POST", "PUT", "PATCH"] },
  jsonEquals: { field: "jsonPath" },
  clientKey: { field: "clientCertificate" },
  clientKeyPassphrase: { field: "clientKey" },
  timezone: { field: "schedule" }
}

/** Whether a form with these values shows the field: always when it has a value or an error. */
export const isShown = (
  name: string,
  {
    draft,
    names,
    wrong
  }: {
    readonly draft: Readonly<Record<string, string>>
    /** All fields of the type. */
    readonly names: ReadonlySet<string>
    readonly wrong: Readonly<Record<string, string>>
  }
): boolean => {
  const condition = conditions[name]
  if (condition === undefined || !names.has(condition.field)) return true
  if ((draft[name] ?? "") !== "" || wrong[name] !== undefined) return true
  const value = draft[condition.field] ?? ""
  return condition.values === undefined ? value !== "" : condition.values.includes(value)
}
