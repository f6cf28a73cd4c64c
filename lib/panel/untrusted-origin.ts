/**
 * Writes to the console why this page cannot use a chat on another site. The server responds, but the browser hides the
 * responses from the page (CORS). With a token, pages of every origin may use it.
 */
export async function explainUntrustedOrigin(
  site: string,
  { token }: HTMLElement & { token?: unknown },
): Promise<void> {
  if (token) return;
  const address = `${site}/api/v1/users/me`;
  const answers = (mode: RequestMode) =>
    fetch(address, { mode, credentials: 'include' }).then(
      () => true,
      () => false,
    );
  if (!(await answers('no-cors')) || (await answers('cors'))) return;
  console.warn(
    `<parlance-panel>: ${site} answers, but not to pages of ${location.origin}. Add this origin to trustedOrigins of its server (chatctl serve --trusted-origin ${location.origin}).`,
  );
}
