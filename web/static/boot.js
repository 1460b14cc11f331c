// Starts the page. Everything else is in ui/ (the page) and worker.js (the engine).
try {
  const { default: init } = await import('./ui/ui.js');
  await init();
} catch (error) {
  const boot = document.getElementById('boot');
  if (boot) {
    boot.textContent = `The page could not start (${error}). It needs a browser with WebAssembly; reload, or try another.`;
  }
  throw error;
}
