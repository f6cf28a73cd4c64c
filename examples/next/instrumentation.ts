/** Next calls this when its server starts: what is due is done from then on, not only after the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') await (await import('./chat.ts')).theChat();
}
