/** What a new password must be. */
import type { FormErrors } from "../../api/problem.ts"
import { t } from "../../locales/text.ts"

export const minLength = 8

/** What is wrong with a new password, at its field; undefined when it will do. */
export const refusedPassword = (password: string, field: string): FormErrors | undefined =>
  password.length < minLength
    ? { fields: { [field]: t("Use at least {count} characters.", { count: minLength }) }, general: undefined }
    : undefined
