/** Texts whose English is used in two senses: `Ends|session` is "Ends" of a session, with translations of its own. */

const mark = "|"

/** The English of a text. */
export const withoutContext = (text: string): string => text.split(mark, 1)[0] ?? text
