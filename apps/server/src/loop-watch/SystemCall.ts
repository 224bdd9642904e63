/** Reads a system call as Linux shows it (proc(5), `syscall`). Pure. */

/** The numbers of `write` and `writev`, which differ by machine. */
const writes: Readonly<Record<string, ReadonlyArray<string>>> = { x64: ["1", "20"], arm64: ["64", "66"] }

/** The file descriptor to which a thread writes; undefined if it does something else. */
export const writtenTo = (call: string, arch: string): number | undefined => {
  const [number = "", descriptor = ""] = call.split(" ", 2)
  return writes[arch]?.includes(number) === true && /^0x[0-9a-f]{1,8}$/.test(descriptor)
    ? Number(descriptor)
    : undefined
}
