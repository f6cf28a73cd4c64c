/** Next calls this when its server starts, so due work does not wait for the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') await (await import('./chat.ts')).theChat();
}
