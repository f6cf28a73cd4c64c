export async function POST(request: Request): Promise<Response> {
  const { name, password } = await request.json();
  if (name !== 'ada' || password !== 'analytical') return new Response('No.\n', { status: 401 });
  // In your own program, use a random session ID.
  return new Response('Hello, Ada.\n', { headers: { 'set-cookie': 'login=ada; HttpOnly; SameSite=Lax; Path=/' } });
}
