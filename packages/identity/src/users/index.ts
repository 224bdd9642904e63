/** Users: the records of accounts, of their sign-ins and sessions. Every feature may ask it, and it asks none. */

export { type Account, AccountRepository } from "./AccountRepository.ts"
export { type AuthModel, type AuthRecord, AuthRecords, type Where } from "./AuthRecords.ts"
export { SecondFactorRepository } from "./SecondFactorRepository.ts"
export { SessionRepository } from "./SessionRepository.ts"
export { type SignOnAccount, SignOnAccountRepository } from "./SignOnAccountRepository.ts"
export { UserRecordRepository } from "./UserRecordRepository.ts"
