/** Mails to people about their accounts, in their languages. */
export type { AccountLetter } from "./AccountLetter.ts"
export { compose } from "./AccountMail.ts"
export { Mailer, type MailPurpose } from "./Mailer.ts"
