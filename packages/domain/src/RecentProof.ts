/** Whether the person behind a session proved a short time ago to own the account: by signing in, or by the password again. */

/** How long a proof lasts, in minutes. */
export const proofMinutes = 10

/** Whether a proof at `provenAt` still counts; both in milliseconds. */
export const isRecent = (provenAt: number | undefined, now: number): boolean =>
  provenAt !== undefined && now - provenAt < proofMinutes * 60_000

/** The refusal of a request that needs a proof. */
export const proofNeeded = {
  code: "proof_required",
  detail: `This gives lasting access or cannot be undone, so it needs a sign-in within the last ${proofMinutes} minutes: send the password to POST /auth/prove, or sign in again`
} as const
