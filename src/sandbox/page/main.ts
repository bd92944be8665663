/** Script of the page that `carillon-sandbox` serves. It shows the inspector for the server's own sandbox. */
import { type InspectorLinks, registerInspector } from '../inspector/index.ts';

const tokenKey = 'carillon-control-token';

/** Moves the token from the URL to the session storage, so that neither the URL nor the history contains the token. */
function takeTokenFromAddress(): void {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  sessionStorage.setItem(tokenKey, decodeURIComponent(token));
  history.replaceState(null, '', location.pathname);
}

function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no #${id}`);
  return found;
}

function readLinks(): InspectorLinks {
  return JSON.parse(byId('links', HTMLScriptElement).text);
}

takeTokenFromAddress();
const signIn = byId('sign-in', HTMLFormElement);
const token = byId('token', HTMLInputElement);
const Inspector = registerInspector();
const inspector = new Inspector();
inspector.links = readLinks();
inspector.live = true;
inspector.sandbox = {
  fetch(request) {
    const kept = sessionStorage.getItem(tokenKey);
    if (kept !== null) request.headers.set('authorization', `Bearer ${kept}`);
    return fetch(request);
  },
};

/** Shows the place in the URL after the user goes back or forward, or follows a link. */
function showPlace(): void {
  inspector.place = location.hash === '' ? 'requests' : location.hash.slice(1);
}
inspector.addEventListener('placechange', () => history.pushState(null, '', `#${inspector.place}`));
addEventListener('popstate', showPlace);

inspector.addEventListener('unauthorized', () => {
  byId('rejection', HTMLElement).textContent =
    sessionStorage.getItem(tokenKey) === null ? '' : 'The token is not the control token of this sandbox.';
  inspector.hidden = true;
  signIn.hidden = false;
  token.focus();
});
signIn.addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(tokenKey, token.value.trim());
  token.value = '';
  signIn.hidden = true;
  inspector.hidden = false;
  void inspector.refresh();
});

showPlace();
document.querySelector('main')?.append(inspector);
