/** Preloaded with `node --import`, shifts the process's clock by `WRONG_CLOCK_MILLIS`. */
const offset = Number(process.env["WRONG_CLOCK_MILLIS"])
const RightDate = Date

globalThis.Date = class extends RightDate {
  constructor(...parts: ReadonlyArray<never>) {
    if (parts.length === 0) super(RightDate.now() + offset)
    else super(...(parts as unknown as [number]))
  }

  static override now(): number {
    return RightDate.now() + offset
  }
} as DateConstructor
