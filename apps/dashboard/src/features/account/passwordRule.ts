/** The requirements of a new password. */
import type { FormErrors } from "../../api/problem.ts"
import { t } from "../../locales/text.ts"

export const minLength = 8

/** The error of a new password at its field; undefined if it is acceptable. */
export const refusedPassword = (password: string, field: string): FormErrors | undefined =>
  password.length < minLength
    ? { fields: { [field]: t("Use at least {count} characters.", { count: minLength }) }, general: undefined }
    : undefined
