/** Deletes the contact methods that somebody added to an account before the owner of its address came: they would get its pages. */
import { EarlierMethodsEnding } from "@kanmon/identity/accounts"
import { Effect, Layer } from "effect"
import { ContactMethods } from "./ContactMethods.ts"

export const layer = Layer.effect(
  EarlierMethodsEnding,
  Effect.map(ContactMethods, ({ endEarlier }) => endEarlier)
)
