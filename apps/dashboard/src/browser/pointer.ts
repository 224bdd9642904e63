/** What the reader points with. */

/** Whether it is a finger, as far as the browser knows. */
export const isCoarse = matchMedia("(pointer: coarse)").matches
