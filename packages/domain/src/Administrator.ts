/** Administrators of the installation. Pure. */
import { normalizeEmail } from "./EmailAddress.ts"

/** The fields that make an account an administrator. */
export interface AdministratorFields {
  readonly email: string
  readonly emailVerified: boolean
  /** Whether the operator has named it by command. */
  readonly isAdmin: boolean
}

/**
 * Whether an account is an administrator: the operator has named it by command, or by its address in the settings (normalized).
 * Anyone can sign up with any address; it proves an identity only once it is verified.
 */
export const isAdministrator = (
  { email, emailVerified, isAdmin }: AdministratorFields,
  adminEmails: ReadonlyArray<string>
): boolean => isAdmin || (emailVerified && adminEmails.includes(normalizeEmail(email)))
