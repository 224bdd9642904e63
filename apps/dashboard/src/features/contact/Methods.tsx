/** The contact methods of the visitor: added, confirmed, tested, changed and removed. */
import { useState } from "react"
import { useChannelTypes } from "../../api/channelTypes.ts"
import { reasonOf } from "../../api/problem.ts"
import { useFirst } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Dialog, Menu } from "../../ui/Overlay.tsx"
import { Section } from "../../ui/Section.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Ago } from "../../ui/Time.tsx"
import { Outcome } from "../../ui/Toast.tsx"
import { CodeForm } from "./CodeForm.tsx"
import { MethodForm } from "./MethodForm.tsx"
import { isReady } from "./lists.ts"
import { type Method, methodsQuery } from "./queries.ts"
import { detailOf, methodName } from "./words.ts"
import { useDeleteMethod, useTestMethod } from "./writes.ts"

type Open =
  { readonly kind: "form"; readonly method?: Method } | { readonly kind: "delete"; readonly method: Method } | undefined

/** Whether messages are sent there, and how the last one went. */
const State = ({ method }: { readonly method: Method }) => {
  const { confirmedAt, disabledReason, isAccount, lastDelivery } = method
  const [tone, words] =
    disabledReason !== null
      ? (["down", t("Switched off: {reason}", { reason: disabledReason })] as const)
      : confirmedAt === null
        ? (["degraded", isAccount ? t("The address is not verified") : t("Waits for its code")] as const)
        : lastDelivery?.status === "failed"
          ? (["down", t("Not delivered: {reason}", { reason: lastDelivery.detail })] as const)
          : (["up", t("Confirmed")] as const)
  return (
    <p className="flex min-w-0 items-start gap-1.5 text-small text-soft">
      <Shape tone={tone} className="mt-0.5 size-3.5" />
      <span className="min-w-0 break-words">
        {words}
        {isReady(method) && lastDelivery?.status === "delivered" && (
          <>
            {" · "}
            {t("Last message")} <Ago at={lastDelivery.at} />
          </>
        )}
      </span>
    </p>
  )
}

export const Methods = () => {
  const { mutateAsync: sendTest } = useTestMethod()
  const { mutateAsync: remove } = useDeleteMethod()
  const { data: methods, error } = useFirst(methodsQuery)
  const { data: types } = useChannelTypes()
  const [open, setOpen] = useState<Open>(undefined)
  // Counts the reader's own changes, which are shown immediately.
  const [changes, setChanges] = useState(0)
  const [testing, setTesting] = useState<string | undefined>(undefined)
  const [outcome, setOutcome] = useState<{ readonly tone: "up" | "down"; readonly text: string } | undefined>(undefined)
  const { errors, isBusy, setErrors, submit } = useSubmit()
  const personal = types?.filter(({ reachesPerson }) => reachesPerson) ?? []
  const close = () => {
    setErrors({ fields: {}, general: undefined })
    setOpen(undefined)
  }

  const done = () => {
    setChanges((count) => count + 1)
    close()
  }
  const test = async (method: Method) => {
    setTesting(method.id)
    setOutcome(undefined)
    const name = methodName(method)
    try {
      const { detail } = await sendTest(method.id)
      setOutcome({ tone: "up", text: t("{name} got the test: {detail}", { name, detail }) })
    } catch (failure) {
      setOutcome({
        tone: "down",
        text: t("{name} did not get the test: {reason}", { name, reason: reasonOf(failure) })
      })
    }
    setTesting(undefined)
  }

  return (
    <Section
      title={t("Contact methods")}
      actions={
        <Button onPress={() => setOpen({ kind: "form" })} isDisabled={personal.length === 0}>
          <Icon name="plus" />
          {t("Add a method")}
        </Button>
      }
    >
      <HeldList
        label={t("Contact methods")}
        items={methods}
        keyOf={idOf}
        error={error}
        reset={String(changes)}
        rowClass="flex flex-col gap-3 py-3"
      >
        {(method) => (
          <>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <div className="min-w-0 flex-1 basis-60">
                <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
                  <bdi className="font-medium break-words">{methodName(method)}</bdi>
                  <bdi className="min-w-0 text-small break-all text-soft">{detailOf(method).join(" · ")}</bdi>
                </p>
                <State method={method} />
              </div>
              <div className="flex items-center gap-1">
                {isReady(method) && (
                  <Button
                    onPress={() => void test(method)}
                    isDisabled={testing !== undefined}
                    aria-label={t("Send a test to {name}", { name: methodName(method) })}
                  >
                    {testing === method.id ? t("Sending…") : t("Send a test")}
                  </Button>
                )}
                {!method.isAccount && (
                  <Menu
                    label={t("More")}
                    button={
                      <IconButton aria-label={t("More about {name}", { name: method.name })}>
                        <Icon name="more" />
                      </IconButton>
                    }
                    groups={[
                      [
                        {
                          id: "edit",
                          label: t("Edit"),
                          icon: <Icon name="edit" />,
                          onAction: () => setOpen({ kind: "form", method })
                        }
                      ],
                      [
                        {
                          id: "delete",
                          label: t("Delete"),
                          danger: true,
                          icon: <Icon name="trash" />,
                          onAction: () => setOpen({ kind: "delete", method })
                        }
                      ]
                    ]}
                  />
                )}
              </div>
            </div>
            {method.confirmedAt === null && !method.isAccount && <CodeForm method={method} />}
          </>
        )}
      </HeldList>
      {outcome !== undefined && (
        <Outcome tone={outcome.tone} onClose={() => setOutcome(undefined)}>
          {outcome.text}
        </Outcome>
      )}
      <Dialog
        title={open?.method === undefined ? t("Add a method") : t("Edit {name}", { name: open.method.name })}
        isOpen={open?.kind === "form"}
        onOpenChange={close}
      >
        {open?.kind === "form" && <MethodForm method={open.method} types={personal} onClose={close} onSaved={done} />}
      </Dialog>
      <Confirm
        title={t("Delete {name}?", { name: open?.method?.name ?? "" })}
        action={t("Delete")}
        isOpen={open?.kind === "delete"}
        isBusy={isBusy}
        errors={errors}
        onClose={close}
        onConfirm={() =>
          void submit(async () => {
            if (open?.kind !== "delete") return
            await remove(open.method.id)
            done()
          })
        }
      >
        <p>{t("Nothing is sent there any more. The email address of your account is told.")}</p>
      </Confirm>
    </Section>
  )
}
