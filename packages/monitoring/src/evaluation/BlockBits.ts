/**
 * Columns of integers as bits: each value as its distance from a prediction, in Rice codes whose width follows the distances
 * before it. Reading never throws: past the end there are zeros, and `overrun` says so. Pure.
 */

/** Ones before an escape: what is further away than that many steps is written in full. */
const longestQuotient = 20
/** Distances beyond this are not exact as numbers once they are doubled. */
const largestDistance = 2 ** 51
/** The values that a mean is of. */
const memory = 10

/**
 * `steady` predicts that values grow as they did last, as due times and slots do; `level` predicts the mean of the last values,
 * as of durations.
 */
export type Prediction = "steady" | "level"

/** Writes bits into a buffer that grows. */
export class BitWriter {
  private bytes = new Uint8Array(2048)
  private length = 0
  private pending = 0
  private held = 0

  /** Writes the lowest `count` bits of a number, at most 23. */
  write(value: number, count: number): void {
    this.pending = (this.pending << count) | value
    this.held += count
    while (this.held >= 8) {
      this.held -= 8
      if (this.length === this.bytes.length) this.grow()
      this.bytes[this.length++] = this.pending >>> this.held
      this.pending &= (1 << this.held) - 1
    }
  }

  /** The bytes, filled up with zeros. */
  finish(): Uint8Array {
    if (this.held > 0) this.write(0, 8 - this.held)
    return this.bytes.subarray(0, this.length)
  }

  private grow(): void {
    const larger = new Uint8Array(this.length * 2)
    larger.set(this.bytes)
    this.bytes = larger
  }
}

/** Reads bits, and zeros after the last one. */
class BitReader {
  private readonly bytes: Uint8Array
  private at = 0
  private pending = 0
  private held = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Whether more was read than there is. */
  get overrun(): boolean {
    return this.at > this.bytes.length
  }

  /** The next `count` bits, at most 23. */
  read(count: number): number {
    while (this.held < count) this.fill()
    this.held -= count
    return (this.pending >>> this.held) & ((1 << count) - 1)
  }

  /** Takes ones up to a zero, which is taken too, or up to `most` of them; returns how many there were. */
  ones(most: number): number {
    let count = 0
    for (;;) {
      if (this.held === 0) this.fill()
      // Ones from the highest held bit on.
      const run = Math.min(Math.clz32(~(this.pending << (32 - this.held))), this.held, most - count)
      count += run
      this.held -= run
      if (count === most) return count
      if (this.held > 0) {
        this.held--
        return count
      }
    }
  }

  private fill(): void {
    this.pending = ((this.pending & 0x7f_ff_ff) << 8) | (this.at < this.bytes.length ? this.bytes[this.at]! : 0)
    this.at++
    this.held += 8
  }
}

/** The width of a code after distances of this mean. */
const widthFor = (mean: number): number => (mean < 1 ? 0 : 31 - Math.clz32(mean < 1_073_741_824 ? mean : 1_073_741_824))

/** The mean with one more distance. One far away does not widen the codes of many that follow. */
const learned = (mean: number, code: number): number => {
  const most = 16 * mean + 64
  return mean + ((code < most ? code : most) - mean) / 8
}

/** Writes integers; false, with nothing written that counts, when one is too far from its prediction. */
export const writeIntegers = (writer: BitWriter, values: Float64Array, prediction: Prediction): boolean => {
  const steady = prediction === "steady"
  let spread = 0
  let middle = 0
  let last = 0
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    const distance = value - (steady ? middle : Math.round(middle))
    if (!(Math.abs(distance) < largestDistance)) return false
    const code = distance >= 0 ? distance * 2 : -distance * 2 - 1
    const width = widthFor(spread)
    const quotient = Math.floor(code / 2 ** width)
    if (quotient >= longestQuotient) {
      writer.write(2 ** longestQuotient - 1, longestQuotient)
      writer.write(Math.floor(code / 2 ** 30), 22)
      writer.write(Math.floor(code / 2 ** 15) % 2 ** 15, 15)
      writer.write(code % 2 ** 15, 15)
    } else {
      writer.write(2 ** (quotient + 1) - 2, quotient + 1)
      const rest = code - quotient * 2 ** width
      if (width > 15) writer.write(Math.floor(rest / 2 ** 15), width - 15)
      writer.write(rest % 2 ** 15, width > 15 ? 15 : width)
    }
    spread = learned(spread, code)
    if (steady) middle = index === 0 ? value : value + value - last
    else middle += (value - middle) / (index + 1 < memory ? index + 1 : memory)
    last = value
  }
  return true
}

/** Reads so many integers that {@link writeIntegers} has written; undefined when there are not as many. */
export const readIntegers = (bytes: Uint8Array, count: number, prediction: Prediction): Float64Array | undefined => {
  const values = new Float64Array(count)
  const reader = new BitReader(bytes)
  const steady = prediction === "steady"
  let spread = 0
  let middle = 0
  let last = 0
  for (let index = 0; index < count; index++) {
    const width = widthFor(spread)
    const quotient = reader.ones(longestQuotient)
    let code: number
    if (quotient === longestQuotient) code = reader.read(22) * 2 ** 30 + reader.read(15) * 2 ** 15 + reader.read(15)
    else {
      code = quotient * 2 ** width
      if (width > 15) code += reader.read(width - 15) * 2 ** 15
      code += reader.read(width > 15 ? 15 : width)
    }
    const distance = code % 2 === 0 ? code / 2 : -(code + 1) / 2
    const value = (steady ? middle : Math.round(middle)) + distance
    values[index] = value
    spread = learned(spread, code)
    if (steady) middle = index === 0 ? value : value + value - last
    else middle += (value - middle) / (index + 1 < memory ? index + 1 : memory)
    last = value
  }
  return reader.overrun ? undefined : values
}
