/**
 * The panel calls this function at the start, and again when the chat refuses the token: it has expired, for example.
 * This script is before the one of the panel, which would try the cookie of the chat first.
 */
document.querySelector('parlance-panel').token = async () => {
  const answer = await fetch('/chat-token', { method: 'POST' });
  if (!answer.ok) throw new Error(`The site has no token: status ${answer.status}`);
  return answer.text();
};
