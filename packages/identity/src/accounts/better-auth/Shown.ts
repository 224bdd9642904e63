/** Accounts and passkeys in API responses. Better Auth's own responses can contain private fields. */

type Row = Readonly<Record<string, unknown>>

/** An account, from Better Auth's form of it. */
export const accountOf = (user: unknown): Row => {
  const { createdAt, email, emailVerified, id, image, locale, name, timezone, twoFactorEnabled, updatedAt } =
    user as Row
  return {
    id,
    name,
    email,
    emailVerified,
    image: image ?? null,
    locale: locale ?? null,
    timezone: timezone ?? null,
    twoFactorEnabled: twoFactorEnabled === true,
    createdAt,
    updatedAt
  }
}

/** A passkey, without its public key and counter. */
export const passkeyOf = ({ aaguid, backedUp, createdAt, deviceType, id, name }: Row): Row => ({
  id,
  name: name ?? null,
  deviceType,
  backedUp,
  aaguid: aaguid ?? null,
  createdAt
})
