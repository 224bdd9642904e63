/**
 * Folders for what a test run writes much of, such as its databases: in memory, where copying a database takes an eighth of the
 * work, or among the temporary files of a machine that has little.
 */
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"

const memory = "/dev/shm"
/** The databases of a whole run take a small part of it. */
const enoughBytes = 4 * 1024 ** 3

const isRoomy = async (): Promise<boolean> => {
  try {
    const { bavail, bsize } = await fs.statfs(memory)
    return bavail * bsize >= enoughBytes
  } catch {
    return false
  }
}

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Names of folders start with it, and with the process that made them. */
const prefix = "kanmon-test-"

/** What killed processes left: files in memory would take it for good. */
const removeLeft = async (): Promise<void> => {
  for (const name of await fs.readdir(memory)) {
    const [, pid] = /^kanmon-test-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !lives(Number(pid))) {
      await fs.rm(path.join(memory, name), { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

/** A new folder, which other users may pass through: PostgreSQL runs as another one when the tests run as root. */
export const make = async (): Promise<string> => {
  const roomy = await isRoomy()
  if (roomy) await removeLeft()
  const folder = await fs.mkdtemp(path.join(roomy ? memory : tmpdir(), `${prefix}${process.pid}-`))
  await fs.chmod(folder, 0o755)
  return folder
}
