/** The page of an account without an organization, after it left the last one. */
import { useNavigate } from "@tanstack/react-router"
import { useQueryClient } from "@tanstack/react-query"
import { chooseProject, signOut } from "../api/session.ts"
import { OrganizationForm } from "../features/organization/OrganizationForm.tsx"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Frame } from "./Frame.tsx"
import { LostProject } from "./LostProject.tsx"
import type { LostProject as Lost } from "./useLostProject.ts"

const NoProject = ({ lost }: { readonly lost: Lost | undefined }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = async () => {
    await signOut(client)
    await navigate({ to: "/sign-in", search: {} })
  }
  return (
    <Frame title={t("You belong to no organization")}>
      {lost !== undefined && <LostProject lost={lost} />}
      <p className="text-soft">{t("Ask somebody for an invitation, or create an organization of your own.")}</p>
      <OrganizationForm
        onCreated={(projectId) => {
          if (projectId !== undefined) chooseProject(projectId)
          void navigate({ to: "/" })
        }}
      />
      <Button kind="quiet" className="self-start -ms-3.5" onPress={() => void leave()}>
        {t("Sign out")}
      </Button>
    </Frame>
  )
}

export default NoProject
