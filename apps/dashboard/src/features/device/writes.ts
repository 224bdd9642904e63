/** Answers to a program that asks to sign in. */
import { request } from "../../api/request.ts"
import { useWrite } from "../../api/write.ts"

export const useApproveDevice = () =>
  useWrite({ send: (userCode: string) => request("POST /auth/device/approve", { body: { userCode } }) })

export const useDenyDevice = () =>
  useWrite({ send: (userCode: string) => request("POST /auth/device/deny", { body: { userCode } }) })
