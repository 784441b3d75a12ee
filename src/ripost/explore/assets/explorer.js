function O(r){let t=[];for(let[e,n]of[...r].sort((s,o)=>s[0]-o[0]||s[1]-o[1])){let s=t[t.length-1];s&&e<=s[1]?s[1]=Math.max(s[1],n):t.push([e,n])}return t}function M(r,t){
let e=[],n=0,s=0;for(;n<r.length&&s<t.length;){let o=Math.max(r[n][0],t[s][0]),i=Math.min(r[n][1],t[s][1]);o<i&&e.push([o,i]),r[n][1]<t[s][1]?n+=1:s+=1}return e}
function Z(r){return r.reduce((t,[e,n])=>t+n-e,0)}function Bt(r,t){let e=[],n=0;for(let[s,o]of O(r))s>n&&e.push([n,Math.min(s,t)]),n=Math.max(n,o);return n<t&&e.
push([n,t]),e}var Cn=new WeakMap,$n=[];function Ut(r,t=$n){let e=Cn.get(r)??new WeakMap;Cn.set(r,e);let n=e.get(t)??(t===$n?[r]:M([r],t));return e.set(t,n),n}function xt(r,t){
return!r||!t?r===t:r.length===t.length&&r.every(([e,n],s)=>e===t[s][0]&&n===t[s][1])}var g=class extends Error{};function it(r,t,e,{after:n=!1,before:s=!1}={}){if(!r.ordered)throw new g(`${r.name} has no order; ask for values, not for a range`);
let o=t===null?null:Ke(r,t),i=e===null?null:Ke(r,e);if(o!==null&&i!==null&&o>i)throw new g(`${r.name}: the range is reversed, ${t} is above ${e}`);let a=o===null?
r.edge(0):Nn(r,o,n),l=i===null?r.edge(r.count):Nn(r,i,!s);return[We(r,a,Math.max(a,l))].filter(([u,h])=>u<h)}function Ht(r,t){if(r.other&&t===r.otherName)return[
[r.count,r.count+1]];if(!r.ordered){let s=r.codes.get(r.type==="boolean"?ss(t):t);if(s===void 0)throw new g(`${r.name} has no value '${t}'; ${rs(r)}`);return[[s,
s+1]]}let e=Ke(r,t);if(r.step){let s=Math.floor(e/r.step)*r.step;return[We(r,s,s+r.step)]}We(r,e,e);let n=Math.min(Math.floor(r.positionOf(e)),r.count-1);return[
[n,n+1]]}function Rn(r){if(!r.missing)throw new g(`${r.name} has no missing values: its schema drops them`);return[[r.missingCode,r.missingCode+1]]}function Ye(r,t){
return Bt(t,r.missingCode)}function Ke(r,t){let e=r.parse(t);if(e===null)throw new g(`${r.name}: cannot read '${t}' as ${r.type}`);return e}function Nn({step:r},t,e){
return r?(e?Math.floor(t/r)+1:Math.ceil(t/r))*r:t}function We(r,t,e){let n=r.edge(0),s=r.edge(r.count);if(t>s||e<n||r.step&&(t===s||e===n)){let o=`${r.text(n)} \
to ${r.text(s-r.step)}`;throw new g(`${r.name} lies in ${o}; the range asked is outside`)}return[r.positionOf(t),r.positionOf(e)]}function rs({names:r}){return r.
length<=12?`known: ${r.join(", ")}`:`there are ${r.length} to choose from`}function ss(r){let t=r.trim().toLowerCase();return["false","f","no","n","0"].includes(
t)?"false":["true","t","yes","y","1"].includes(t)?"true":t}function*at(r){return yield,r()}function V(r){for(;;){let t=r.next();if(t.done)return t.value}}var os=500;function U(r,t){return Ze(r.flatMap(e=>t.flatMap(n=>Bn(e,n))))}function Ln(r,t){let e=new Map,n=[];for(let i of r){let a=i.length===1?Object.keys(i[0]):
[];a.length===1?e.set(a[0],[...e.get(a[0])??[],...i[0][a[0]]]):n.push(i)}let s=[...e].map(([i,a])=>[{[i]:O(a)}]),o=[];for(let i of[...s,...n])o=Ze([...o,...Pt(i,
o,t)]);return Qe(o)}function Pt(r,t,e){let n=r;for(let s of t)n=Ze(n.flatMap(o=>is(o,s,e)));return n}function Qe(r){let t=[];for(let e of r){let n=t.findIndex(s=>Fn(
e,s).length===1);if(n<0)t.push(e);else{let[s]=Fn(e,t[n]);t[n]={...t[n],[s]:O([...t[n][s],...e[s]])}}}return t}function Bn(r,t){let e={...r};for(let[n,s]of Object.
entries(t))if(e[n]=n in r?M(r[n],s):s,e[n].length===0)return[];return[e]}function is(r,t,e){if(Bn(r,t).length===0)return[r];let n=[],s=r;for(let[o,i]of Object.entries(
t)){let a=e[Number(o)],l=s[o]??[[0,a]],u=M(l,Bt(i,a));u.length&&n.push({...s,[o]:u}),s={...s,[o]:M(l,i)}}return n}function Fn(r,t){let e=Object.keys(r);return String(
e)!==String(Object.keys(t))?["",""]:e.filter(n=>!xt(r[n],t[n]))}function Ze(r){if(r.length>os)throw new g("the conditions fall into too many parts; ask with few\
er ORs");return r}var as={"=":"<>","<>":"=","!=":"=","<":">=",">=":"<",">":"<=","<=":">"};function At(r,t){return r===null?[{}]:Je(r,t,!1)}function Je(r,t,e){if(r.kind==="not")return Je(
r.part,t,!e);if("parts"in r){let o=r.parts.map(i=>Je(i,t,e));return r.kind==="and"!==e?o.reduce((i,a)=>U(i,a)):Ln(o,t.sizes)}let n=P(r.name,t);if(r.alone&&n.type!==
"boolean")throw new g(`${n.name} is no condition by itself; compare it with a value`);let s=ls(r,n,e);return s.length?[{[n.axis]:s}]:[]}function ls(r,t,e){if(r.
kind==="compare"){let s=e?as[r.sign]:r.sign;return s==="="?Ht(t,r.value):s==="<>"||s==="!="?Ye(t,Ht(t,r.value)):s[0]==="<"?it(t,null,r.value,{before:s==="<"}):it(
t,r.value,null,{after:s===">"})}if(r.kind==="null")return e?[[0,t.missingCode]]:Rn(t);let n=r.kind==="between"?it(t,r.low,r.high):O(r.values.flatMap(s=>Ht(t,s)));
return e?Ye(t,n):n}function P({text:r,quoted:t},e){let n=e.byName.get(r);if(n)return n;let s=e.attributes.filter(a=>a.name.toLowerCase()===r.toLowerCase());if(s.
length===1&&!t)return s[0];let o=e.attributes.map(a=>a.name),i=o.length<=12?`known: ${o.join(", ")}`:`there are ${o.length} to choose from`;throw new g(`the vie\
w has no attribute "${r}"; ${i}`)}var Xe=1e4;function Dt(r,t,e,n){let s=n.map((l,u)=>l.filter(h=>t.some(c=>Un(h,c[e[u]])))),o=s.reduce((l,u)=>l*u.length,1);if(o>Xe){let l=o.toLocaleString("en-US");
throw new g(`that gives ${l} rows; group by fewer attributes, or narrow them down first`)}let i=new Float64Array(o);for(let l of t)r.grid(e,s,l,{within:!0}).forEach(
(u,h)=>{i[h]+=u});let a=Array.from(i,(l,u)=>{let h=us(u,s).map((p,d)=>s[d][p]);return{labels:h.map((p,d)=>r.attributes[e[d]].describeBin(p)),bins:h,value:l,answer:null}});
return t.length===1?a:a.filter(({bins:l})=>t.some(u=>l.every((h,c)=>Un(h,u[e[c]]))))}function Un(r,t){return t===void 0||M([r],t).length>0}function us(r,t){let e=new Array(
t.length),n=r;for(let s=t.length-1;s>=0;s-=1)e[s]=n%t[s].length,n=Math.floor(n/t[s].length);return e}var hs={"=":(r,t)=>r===t,"<>":(r,t)=>r!==t,"!=":(r,t)=>r!==t,"<":(r,t)=>r<t,"<=":(r,t)=>r<=t,">":(r,t)=>r>t,">=":(r,t)=>r>=t};function Hn(r,t,e){let n=en(r,e);return t.
filter(s=>n(s)===!0)}function en(r,t){if(r.kind==="not"){let i=en(r.part,t);return a=>ps(i(a))}if("parts"in r){let i=r.parts.map(a=>en(a,t));return a=>tn(i,a,r.
kind==="or")}let e=cs(r).flatMap(i=>"value"in i?[]:[t(i)]);if(e.length===0)throw new g("HAVING compares what can be listed with values");let n=i=>"value"in i?ms(
e[0].read(i.value)):t(i).get,s=n(r.left);if(r.kind==="null")return i=>s(i)===null;if(r.kind==="between"){let[i,a]=[n(r.low),n(r.high)],l=[u=>jt(">=",s(u),i(u)),
u=>jt("<=",s(u),a(u))];return u=>tn(l,u,!1)}if(r.kind==="in"){let i=r.values.map(n).map(a=>l=>jt("=",s(l),a(l)));return a=>tn(i,a,!0)}let o=n(r.value);return i=>jt(
r.sign,s(i),o(i))}function cs(r){return r.kind==="compare"?[r.left,r.value]:r.kind==="between"?[r.left,r.low,r.high]:r.kind==="in"?[r.left,...r.values]:[r.left]}
function ms(r){return()=>r}function jt(r,t,e){return t===null||e===null?null:hs[r](t,e)}function ps(r){return r===null?null:!r}function tn(r,t,e){let n=!1;for(let s of r){
let o=s(t);if(o===e)return e;o===null&&(n=!0)}return n?null:!e}function nn(r){let[t,e,n]=[r(0),r(.5),r(1)],s=2*(t-2*e+n),o=4*e-3*t-n,i=Math.sqrt(Math.max(o**2-4*s*t,0)),a=-(o+(o<0||Object.is(o,-0)?-i:i))/2,l=[a/s,t/a].filter(
h=>h>=0&&h<=1);return[t<=0?0:l.length?Math.min(...l):NaN,n<=0?1:l.length?Math.max(...l):NaN]}function Pn(r,t,e,n){let[s,o]=[Math.max(r,0),Math.max(e,0)],[i,a]=nn(
l=>(s-l*o)**2-t**2-(l*n)**2);return[Number.isNaN(i)?1:i,Number.isNaN(a)?1:a]}function Vt(r,t,e){let n=new Gt(r,t,e),s=n.value[0]-n.value[2],[o,i]=[n.stderr,n.reach].map(l=>Math.min(Math.sqrt(rn(l,[1,0,-1])),l[3]+l[4])),a=n.endless?1/0:i;
return{value:s,stderr:J(o),low:J(s-a),high:J(s+a),note:n.note}}function Dn(r,t,e){let n=new Gt(r,t,e),[s,o]=n.whole,i=o>0?s/o:NaN,a=Math.sqrt(rn(n.stderr,[1,1-i,
-i]))/Math.abs(o),[l,u]=n.ratios();n.endless&&([l,u]=[0,1/0]);let[h,c,p]=n.empty;p&&(l=zt(l,1)),h&&(u=qt(u,1)),h&&c&&([l,u]=[0,0]),(n.unknown||c&&p)&&([l,u]=[NaN,
NaN]);let d={low:J(l),high:J(u)},f=Number.isNaN(i)?NaN:qt(zt(i,l),u);return{value:J(f),stderr:J(a),...d,note:n.note}}var Gt=class{value;whole;stderr;reach;empty;unknown;endless;note;constructor(t,e,n){
let{sizes:s}=t,[o,i,a]=[Pt(e,n,s),U(e,n),Pt(n,e,s)],l=o.length&&a.length?Qe([...o,...a]):[],u=[o,i,a,e,n,l].map(c=>t.answer(c)),h=u.map(c=>t.reachOf(c));this.empty=
[o,i,a].map(c=>c.length===0),this.value=u.slice(0,3).map(c=>c.value),this.whole=u.slice(3,5).map(c=>c.value),this.unknown=h.some(Number.isNaN),this.endless=h.includes(
1/0),this.reach=h.map(c=>c===1/0?0:c),this.stderr=u.map((c,p)=>c.stderr??(h[p]===1/0?0:NaN)),this.note=u.map(c=>c.note??"").find(Boolean)??""}ratios(){let[t,e]=this.
accepted(c=>[1,1-c,-c]),[n,s]=this.accepted(c=>[c,c-1,-1]),[o,i]=[qt(t,1/s),zt(e,1/n)],a=this.whole.map((c,p)=>Math.max(0,c-this.reach[3+p])),l=this.whole.map((c,p)=>Math.
max(0,c)+this.reach[3+p]),u=zt(o,l[1]>0?a[0]/l[1]:0),h=qt(i,a[1]>0?l[0]/a[1]:1/0);return u<=h?[u,h]:[o,i]}accepted(t){return nn(e=>{let n=t(e);return this.value.
reduce((o,i,a)=>o+n[a]*Math.max(0,i),0)**2-rn(this.reach,n)})}};function rn([r,t,e,n,s,o],[i,a,l]){let u=(i*r)**2+(a*t)**2+(l*e)**2,h=[[i*a,n,r,t],[a*l,s,t,e],[
i*l,o,r,e]];for(let[c,p,d,f]of h){let w=Math.min(Math.max((p**2-d**2-f**2)/2,-d*f),d*f);u+=2*c*(c<0?Math.min(w,0):w)}return Math.max(u,0)}function qt(r,t){return Number.
isNaN(r)||t<r?t:r}function zt(r,t){return Number.isNaN(r)||t>r?t:r}function J(r){return Number.isFinite(r)?r:null}function _(r,t,e,n){let s=n*Math.sqrt(t+e);return Number.isFinite(s)?sn({value:r,stderr:Math.sqrt(t)},s):{...on(r),reach:s}}function sn(r,t){let{value:e}=r;return{
...r,reach:t,low:Math.max(0,e-t),high:Math.max(0,e)+t}}function _t(r){return Math.log(r/.05)/Math.log(1/.05)}function jn(r){let t=e=>Math.log((1-e)/e);return t(
.05/r)/t(.05)}function Gn(r,t){let e=r.stderr>0?t-(r.high-r.low):0;if(!(e>0))return r;let n=Math.max(r.low-e/2,0);return{...r,low:n,high:Math.max(r.high+e/2,n+t)}}
function on(r){return{value:r,stderr:null,low:null,high:null,reach:NaN}}var j=class{most;entries=new Map;constructor(t){this.most=Math.max(1,Math.floor(1048576/Math.max(1,t)))}of(t,e){let n=this.entries.get(t);if(n!==void 0)return n;
this.entries.size>=this.most&&this.forgetOldest();let s=e();return this.entries.set(t,s),s}forgetOldest(){let[t]=this.entries.keys();this.entries.delete(t)}};var qn=1e-12,zn=new Float64Array(0),K=class{constructor(t,e,n,s){this.lower=t;this.upper=e;this.which=n;this.mass=s;this.count=t.length,this.shares=new j(this.count),
this.touches=new j(this.count),this.prefix=ds(s??zn),this.start=new Float64Array(this.count),this.stop=new Float64Array(this.count),this.flat=new Uint8Array(this.
count).fill(s?0:1);for(let o=0;o<this.count;o+=1){if(s){if(this.start[o]=this.at(t[o]),this.stop[o]=this.at(e[o]),this.stop[o]>this.start[o])continue;this.flat[o]=
1}this.start[o]=t[o],this.stop[o]=e[o]}}lower;upper;which;mass;count;shares;touches;prefix;start;stop;flat;at(t){let e=this.mass??zn,n=Math.min(Math.floor(t),e.
length-1);return this.prefix[n]+(t-n)*e[n]}covered(t){return this.shares.of(t,()=>this.coverage(t))}coverage(t){let e=new Float64Array(this.count),n=this.rulers(
t);for(let s=0;s<this.count;s+=1)e[s]=this.ratio(s,n);return e}rulers(t){let e=this.mass&&Vn(t,n=>this.at(n));return{intervals:t,begins:t.map(([n])=>n),massive:e,
even:Vn(t,n=>n)}}ratio(t,{intervals:e,begins:n,massive:s,even:o}){if(e.length===0)return 0;let i=C(n,this.lower[t]);if(i>=0&&this.upper[t]<=e[i][1])return 1;let a=this.
flat[t]||s===null?o:s,l=_n(a,i,this.lower[t]),h=(_n(a,C(n,this.upper[t]),this.upper[t])-l)/(this.stop[t]-this.start[t]);return h>1-qn?1:h>qn?h:0}touched(t){return this.
touches.of(t,()=>this.touching(t))}touching(t){let e=new Uint8Array(this.count),n=t.map(([s])=>s);for(let s=0;s<this.count;s+=1){let o=C(n,this.lower[s]);o>=0&&
this.upper[s]<=t[o][1]?e[s]=2:(o>=0&&this.lower[s]<t[o][1]||o+1<n.length&&n[o+1]<this.upper[s])&&(e[s]=1)}return e}spread(t,e=null){let n=new Int32Array(this.count+
1),s=[],o=[],i=t.map(l=>this.rulers(e?M([l],e):[l])),a=t.map(([l])=>l);for(let l=0;l<this.count;l+=1){for(let u=Math.max(0,C(a,this.lower[l]));u<t.length&&!(t[u][0]>=
this.upper[l]);u+=1){let h=this.ratio(l,i[u]);h!==0&&(s.push(u),o.push(h))}n[l+1]=s.length}return{first:n,bin:Int32Array.from(s),share:Float64Array.from(o)}}};function ds(r){
let t=new Float64Array(r.length+1);for(let e=0;e<r.length;e+=1)t[e+1]=t[e]+r[e];return t}function Vn(r,t){let e=r.map(o=>t(o[0])),n=r.map(o=>t(o[1])),s=[0];for(let o=0;o<
e.length;o+=1)s.push(s[o]+(n[o]-e[o]));return{low:e,high:n,before:s,at:t}}function _n(r,t,e){return t<0?0:r.before[t]+(Math.min(r.at(e),r.high[t])-r.low[t])}function C(r,t){
let e=0,n=r.length;for(;e<n;){let s=e+n>>1;r[s]<=t?e=s+1:n=s}return e-1}var fs=2e4,Kt=100,gs=[0,.001,.003,.01,.03,.1];function Wt(r,t,e,n){let s=Qt(r.attributes[t],n[t]),o=Wn(r,t,s,n);return e.map(i=>Yn(s,o,i))}function*Yt(r,t,e,n){
let s=r.attributes[t],o=Qt(s,n[t]),i=Wn(r,t,o,n),a=ws(i,e),l=[],u=[],h=M(n[t]??[[0,s.size]],[[0,s.count]]);for(let c of a){let p=o.codes[c],d=r.answer({...n,[t]:M(
h,[[0,p]])}),f=r.answer({...n,[t]:M(h,[[p,s.count]])});l.push(Kn(d.low,f.high,0)),u.push(Kn(d.high,f.low,1)),yield}return e.map(c=>bs(o,i,c,a,l,u))}function Qt(r,t){
let e=[],n=[],s=[],o=Math.max(1,Math.ceil(r.count/fs));for(let[i,a]of M(t??[[0,r.size]],[[0,r.count]]))for(let l=Math.floor(i/o)*o;l<a;l+=o){let u=r.tickAt(Math.
max(i,l)),h=r.tickAt(Math.min(a,l+o,r.count))-r.step;e[e.length-1]===l?s[s.length-1]=h:(e.push(l),n.push(u),s.push(Math.max(u,h)))}return{codes:e,first:n,last:s,
each:o}}function Wn(r,t,{codes:e,each:n},s){let{count:o}=r.attributes[t],i=e.map(a=>[a,Math.min(a+n,o)]);return r.grid([t],[i],s,{within:!0}).map(a=>Math.max(a,
0))}function Yn({first:r,last:t},e,n){let s=e.reduce((i,a)=>i+a,0);if(!(s>0))return null;let o=0;for(let i=0;i<e.length;i+=1){if(e[i]>0&&o+e[i]>=n*s*(1-1e-12)){
let a=Math.min(1,Math.max(0,(n*s-o)/e[i]));return r[i]+a*(t[i]-r[i])}o+=e[i]}return t[t.length-1]}function bs(r,t,e,n,s,o){let i=Yn(r,t,e);if(i===null)return null;
if(s.includes(null)||o.includes(null))return{value:i,low:null,high:null};let a=t.length,l=p=>p===a?1:s[C(n,p)]??0,u=p=>p===0?0:o[C(n,p-1)+1]??1,h=0;for(;h<a-1&&
u(h+1)<e;)h+=1;let c=a-1;for(;c>0&&l(c)>=e;)c-=1;return{value:i,low:Math.min(i,r.first[h]),high:Math.max(i,r.last[c])}}function ws(r,t){let e=r.reduce((l,u)=>l+
u,0);if(r.length<=Kt||!(e>0))return Array.from({length:Math.max(0,Math.min(r.length,Kt)-1)},(l,u)=>u+1);let n=[],s=0;for(let l of r)s+=l,n.push(s/e);let a=[...Array.
from({length:Kt},(l,u)=>u/(Kt-1)),...t.flatMap(l=>gs.flatMap(u=>[l-u,l+u]))].flatMap(l=>{let u=n.findIndex(h=>h>=l);return u<0?[]:[u,u+1]});return[...new Set(a)].
filter(l=>l>0&&l<r.length).sort((l,u)=>l-u)}function Kn(r,t,e){return r===null||t===null?null:r+t===0?e:r/(r+t)}var Zt=50,ys=1.96/Math.sqrt(12);function an(r,t,e){let n=r.attributes[t],s=[[0,n.count]],o=Qt(n,O(e.flatMap(h=>h[t]??s))),i=new Float64Array(o.codes.length),a=o.
codes.map(h=>[h,Math.min(h+o.each,n.count)]);for(let h of e){let c=r.grid([t],[a],h,{within:!0});for(let p=0;p<i.length;p+=1)i[p]+=c[p]}let l=0,u=0;for(let h=0;h<
i.length;h+=1)i[h]=Math.max(i[h],0),l+=i[h],u+=i[h]*((o.first[h]+o.last[h])/2);return{value:l>0?u/l:null,sum:l>0?u:null,total:l,mass:i,bins:o}}function*Zn(r,t,e,{
sum:n=!1}={}){let s=an(r,t,e),o=n?s.sum:s.value;if(o===null||s.value===null)return{value:null,low:null,high:null};let i=yield*vs(r,t,e,s);if(i===null)return{value:o,
low:null,high:null};let a=xs(s,s.value,i,_t(r.together));if(!n)return{value:o,low:a[0],high:a[1]};let l=a.flatMap(u=>[u*i.count.low,u*i.count.high]);return{value:o,
low:Math.min(o,...l),high:Math.max(o,...l)}}function*vs(r,t,e,{mass:n,total:s,bins:o}){let{count:i}=r.attributes[t],a=(f,w)=>{let y=e.map(x=>({...x,[t]:M(x[t]??
[[0,i]],[[f,w]])}));return r.answer(y.filter(x=>x[t].length))},l=a(0,i);if(l.low===null)return null;let u=As(n,s),h=[],c=[],p=0,d=0;for(let f of u){for(;d<f;)p+=
n[d++];let w=p<=s/2,y=o.codes[f],x=w?a(0,y):a(y,i);if(x.low===null)return null;let I=l.high>0?Math.min(x.low/l.high,1):0,k=l.low>0?Math.min(x.high/l.low,1):1;h.
push(w?I:1-k),c.push(w?k:1-I),yield}return{chosen:u,low:h,high:c,count:l}}function xs({mass:r,total:t,bins:e},n,s,o){let i=e.first.map((d,f)=>(d+e.last[f])/2),[
a,l]=Qn(i,i,n,s),[u,h]=Qn(e.first,e.last,n,s),c=e.first.map((d,f)=>(r[f]*(e.last[f]-d)/t)**2),p=ys*o*Math.sqrt(c.reduce((d,f)=>d+f,0));return[Math.max(u,n-Math.
hypot(n-a,p)),Math.min(h,n+Math.hypot(l-n,p))]}function Qn(r,t,e,{chosen:n,low:s,high:o}){let i=r.length,a=d=>d===i?1:s[C(n,d)]??0,l=d=>d===0?0:o[C(n,d-1)+1]??1,
u=0,h=0;for(let d=0;d<i;d+=1){let f=Math.max(h,l(d+1));u+=r[d]*(f-h),h=f}let c=0,p=a(i);for(let d=i-1;d>=0;d-=1){let f=Math.min(p,a(d));c+=t[d]*(p-f),p=f}return[
Math.min(e,u),Math.max(e,c)]}function As(r,t){if(r.length<=Zt||!(t>0))return Array.from({length:Math.max(0,Math.min(r.length,Zt)-1)},(o,i)=>i+1);let e=new Set,n=0,
s=-1;for(let o=0;o<Zt;o+=1){let i=o/(Zt-1);for(;s<r.length&&(s<0||n/t<i);)s+=1,s<r.length&&(n+=r[s]);e.add(s).add(s+1)}return[...e].filter(o=>o>0&&o<r.length).sort(
(o,i)=>o-i)}var Ms="COUNT(non-empty cells)";function lt(r){return r===Ms?"SUM(cells)":r}function ln({measure:r,text:t},e){if(r.kind==="share")return ks(r,e);if("one"in r)return Es(
r,e);let n=Jn({measure:r,text:t},e.engine);if(n)return Ss(e,n,t,r);if(r.of===null)throw new g(`${t} needs an attribute`);return Is(e,r,P(r.of,e.engine),t)}function Jn({
measure:r,text:t},e){let n=lt(e.facts.measure),s=At(r.filter,e);if(t.toLowerCase()===n.toLowerCase())return s;let o=r.of&&P(r.of,e);if(n!=="COUNT(*)"||!o)throw new g(
`this view tells ${n}, not ${t}`);return r.kind==="count"?U(s,[{[o.axis]:[[0,o.missingCode]]}]):null}function Ss(r,t,e,{kind:n,of:s,filter:o}){let i=o===null&&!(n===
"count"&&s),a=l=>i?r.answer(l):r.engine.answer(U(r.parts(l),t));return{title:e,digits:0,value:l=>i?l.value:a(l).value,figure:l=>at(()=>a(l))}}function Es({kind:r,
one:t,other:e,scale:n},s){let{engine:o}=s,[i,a]=[t,e].map(c=>Jn(c,o));if(!i||!a)throw new g("only two totals can be compared, not means or sums of an attribute");
let l=r==="ratio"?Dn:Vt,u=c=>c===null?null:n*c,h=c=>{let p=s.parts(c),{value:d,low:f,high:w,note:y}=l(o,U(p,i),U(p,a));return{value:u(d),low:u(f),high:u(w),note:y}};
return{title:r,digits:r==="ratio"?4:0,value:c=>h(c).value,figure:c=>at(()=>h(c))}}function Is(r,{kind:t,filter:e},n,s){let{engine:o}=r;if(!n.ordered)throw new g(
`${n.name} has no order, so it has no ${t==="avg"?"mean":"sum"}`);if(n.isCalendar)throw new g(`${n.name} is a date; the table of quantiles tells of it, and ripo\
st query its mean`);let i=t==="sum",a=U(At(e,o),[{[n.axis]:[[0,n.count]]}]),l=u=>U(r.parts(u),a);return{title:s,digits:2,value:u=>an(o,n.axis,l(u))[i?"sum":"val\
ue"],*figure(u){let h=o.note(l(u),[n.axis]);return{...yield*Zn(o,n.axis,l(u),{sum:i}),note:h}}}}function ks({of:r,whole:t,within:e,scale:n,written:s},o){let i=lt(
o.engine.facts.measure);if(s==="OVER"){let c=t==="count"?"COUNT(*)":`SUM(${r?.text})`;if(t==="count"&&r||c.toLowerCase()!==i.toLowerCase())throw new g(`a share \
is of ${i} here, or ask SHARE(*)`);if(o.filtered)throw new g("a share by OVER counts what HAVING leaves; ask SHARE(*), which does not")}let a=e.map(c=>o.place(c,
"PARTITION BY")),l=new Map,u=c=>{let p=a.map(f=>c.bins[f][0]).join(" "),d=l.get(p)??o.engine.answer(o.parts(c,a));return l.set(p,d),d},h=c=>{let[p,d]=[o.answer(
c),u(c)],f=d.value?n*p.value/d.value:null,{note:w}=p;if(p.low===null||d.low===null)return{value:f,low:null,high:null,note:w};let[y,x]=o.engine.shareBounds(p,d);
return{value:f,low:n*y,high:n*x,note:w}};return{title:"SHARE(*)",digits:4,value:c=>u(c).value?n*c.value/u(c).value:null,figure:c=>at(()=>h(c))}}var hn="ask for the difference or the ratio of two totals, such as COUNT(*) FILTER (WHERE …) / COUNT(*)";function Xn(r){if("name"in r||"measure"in r)return r;
if("number"in r)return Ts(r.number);let{factor:t,inner:e}=Mt(r);if("measure"in e&&e.measure)return Os(e,t);if(!("sign"in e))throw new g(`cannot answer this by i\
tself; ${hn}`);return e.sign==="/"&&"whole"in e.right?Cs(t,e.left,e.right):$s(t,e)}function Ts(r){if(!Number.isInteger(r))throw new g("a place in the list needs\
 a whole number");return{number:r}}function Mt(r){if(!("sign"in r)||r.sign!=="*")return{factor:1,inner:r};for(let[t,e]of[[r.left,r.right],[r.right,r.left]]){if(!("\
number"in t)||t.number===void 0)continue;let{factor:n,inner:s}=Mt(e);return{factor:n*t.number,inner:s}}return{factor:1,inner:r}}function Os({measure:r,text:t},e){
if(r.kind==="share")return{measure:{...r,scale:r.scale*e},text:t};throw new g(`only a share, a difference or a ratio can be multiplied; ${hn}`)}function Cs(r,t,{
whole:e,within:n}){let{factor:s,inner:o}=Mt(t),i=un(o),a=i?.measure.filter===null&&"text"in e&&e.text===i.text;if(!i||!a||i.measure.kind==="avg")throw new g("on\
ly a total can be divided by its sum OVER (), as in COUNT(*) / SUM(COUNT(*)) OVER (); or ask SHARE(*)");let{kind:l,of:u}=i.measure;return{measure:{kind:"share",
of:u,whole:l,within:n,scale:r*s,written:"OVER"},text:"share"}}function $s(r,{sign:t,left:e,right:n}){let s=t==="/",[o,i]=[Mt(e),Mt(s&&"nullIfZero"in n?n.nullIfZero:
n)],[a,l]=[un(o.inner),un(i.inner)],u=s?i.factor!==0:o.factor===i.factor,h=a&&l&&a.measure.kind!=="avg"&&l.measure.kind!=="avg";if(t==="*"||!u||!h)throw new g(`\
cannot answer this; ${hn}`);let c=s?"ratio":"difference",p=r*(s?o.factor/i.factor:o.factor);return{measure:{kind:c,one:a,other:l,scale:p},text:c}}function un(r){
if(!("measure"in r)||!r.measure)return null;let{measure:t,text:e}=r;return"filter"in t?{measure:t,text:e}:null}var Jt=new RegExp([/(?<space>\s+|--[^\n]*)/.source,/(?<text>'(?:[^']|'')*')/.source,/(?<quoted>"(?:[^"]|"")*")/.source,/(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.
source,/(?<word>[\p{L}_][\p{L}\p{N}_$]*)/u.source,/(?<sign><=|>=|<>|!=|[-+*/%=<>(),.;])/.source].join("|"),"uy"),tr=5e4;function er(r){if(r.length>tr)throw new g(
`the question is too long: ${r.length} characters, at most ${tr}`);let t=[];for(Jt.lastIndex=0;Jt.lastIndex<r.length;){let e=Jt.lastIndex,n=Jt.exec(r),s=Object.
entries(n?.groups??{}).find(([,l])=>l!==void 0);if(!s)throw new g(`cannot read the question from ${H(r.slice(e))} on`);let[o,i]=s;if(o==="space")continue;let a=o===
"text"||o==="quoted"?Ns(i):i;t.push({kind:o,text:a,upper:o==="word"?i.toUpperCase():o==="sign"?i:""})}return[...t,{kind:"end",text:"the end",upper:""}]}function H(r){
let t=r.replace(/\s+/g," ");return`"${t.length>40?`${t.slice(0,39)}…`:t}"`}function Ns(r){let t=r[0];return r.slice(1,-1).replaceAll(t+t,t)}var G="what can be asked: SELECT attributes, COUNT(*), SHARE(*), COUNT, AVG or SUM of an attribute, each perhaps with FILTER (WHERE …), and the difference or th\
e ratio of two totals FROM view WHERE conditions (AND, OR, NOT, =, <>, <, <=, >, >=, BETWEEN, IN, IS NULL) GROUP BY attributes HAVING … ORDER BY … LIMIT …",
cn="ripost query and view.sql can answer it",Rs=200,nr=["=","<>","!=","<","<=",">",">="],Fs="SELECT FROM WHERE GROUP HAVING ORDER LIMIT OFFSET BY AND OR NOT AS \
JOIN OVER PARTITION FILTER UNION".split(" "),Xt=class{constructor(t){this.tokens=t}tokens;at=0;depth=0;enter(){if(this.depth+=1,this.depth>Rs)throw new g("the q\
uestion is nested too deeply")}isValue(){let t=this.peek(),e=this.tokens[this.at+1];return t.kind==="number"?!["*","/"].includes(e.upper):t.kind==="text"||["-",
"+"].includes(t.upper)?!0:this.isTyped()||["TRUE","FALSE"].includes(t.upper)&&nr.includes(e.text)}isTyped(){return["DATE","TIMESTAMP"].includes(this.peek().upper)&&
this.tokens[this.at+1].kind==="text"}value(){this.isTyped()&&this.next();let t=this.take("-")?"-":"";t||this.take("+");let e=this.next();if(e.kind==="number"||e.
kind==="text"&&!t)return t+e.text;if(["TRUE","FALSE"].includes(e.upper)&&!t)return e.text.toLowerCase();throw e.upper==="NULL"?new g("nothing equals NULL; ask I\
S NULL or IS NOT NULL"):new g(`expected a value and found ${H(e.text)}; put text in single quotes, as in 'JFK'`)}sign(){let t=this.next();if(!nr.includes(t.text))
throw new g(`cannot read ${H(t.text)} as a comparison; ${G}`);return t.text}name(t){let e=this.next();if(!(e.kind==="quoted"||e.kind==="word"&&!Fs.includes(e.upper)))
throw new g(`expected ${t} and found ${H(e.text)}; ${G}`);return{text:e.text,quoted:e.kind==="quoted"}}whole(t){let e=this.next();if(e.kind!=="number"||!/^\d{1,9}$/.
test(e.text))throw new g(`${t} needs a whole number`);return Number(e.text)}list(t){let e=[t()];for(;this.take(",");)e.push(t());return e}peek(){return this.tokens[this.
at]}next(){let t=this.tokens[this.at];return t.kind!=="end"&&(this.at+=1),t}take(t){return this.peek().upper!==t?!1:(this.at+=1,!0)}takeBoth(t,e){return this.take(
t)?(this.expect(e),!0):!1}expect(t){if(!this.take(t))throw new g(`expected ${t} and found ${H(this.peek().text)}; ${G}`)}refuse(t){throw new g(`${H(t)} is not k\
nown here; ${G}`)}defer(t){throw new g(`${t} is not known here; ${cn}`)}};var Ls={"<":">","<=":">=",">":"<",">=":"<="},Bs=["AND","OR",")","GROUP","HAVING","ORDER","LIMIT","OFFSET",";",""],te=class extends Xt{where(){return this.either(
()=>this.condition())}either(t){let e=[this.both(t)];for(;this.take("OR");)e.push(this.both(t));return e.length===1?e[0]:{kind:"or",parts:e}}both(t){let e=[this.
negation(t)];for(;this.take("AND");)e.push(this.negation(t));return e.length===1?e[0]:{kind:"and",parts:e}}negation(t){this.enter();let e;return this.take("NOT")?
e={kind:"not",part:this.negation(t)}:this.take("(")?(e=this.either(t),this.expect(")")):e=t(),this.depth-=1,e}condition(){if(this.isValue()){let n=this.value(),
s=this.sign();return{kind:"compare",sign:Ls[s]??s,name:this.name("an attribute"),value:n}}let t=this.term(),{name:e}=t;if(!e)throw new g(`WHERE takes attributes\
; put ${H(t.measure?t.text:String(t.number))} into HAVING`);return Bs.includes(this.peek().upper)?{kind:"compare",sign:"=",name:e,value:"true",alone:!0}:this.tested(
()=>this.value(),n=>({name:e,...n}))}comparison(){let t=()=>this.isValue()?{value:this.value()}:this.term(),e=t();return this.tested(t,n=>({left:e,...n}))}tested(t,e){
if(this.take("IS")){let s=this.take("NOT");return this.expect("NULL"),mn(s,e({kind:"null"}))}let n=this.take("NOT");if(this.take("BETWEEN")){let s=t();return this.
expect("AND"),mn(n,e({kind:"between",low:s,high:t()}))}if(this.take("IN")){this.expect("(");let s=this.list(t);return this.expect(")"),mn(n,e({kind:"in",values:s}))}
if(n)throw new g(`after NOT comes BETWEEN or IN; ${G}`);return e({kind:"compare",sign:this.sign(),value:t()})}};function mn(r,t){return r?{kind:"not",part:t}:t}var Us=["MEDIAN","QUANTILE","QUANTILE_CONT","QUANTILE_DISC","PERCENTILE_CONT","APPROX_QUANTILE"],Hs=["ROLLUP","CUBE","GROUPING"],Ps=["WIDTH","FLOOR","EXTRACT","\
DATE_TRUNC","DATE_PART","YEAR","QUARTER","MONTH","WEEK","DAY","HOUR"],ee=class extends te{term(){return Xn(this.difference())}difference(){this.enter();let t=this.
product();for(;this.take("-");)t={sign:"-",left:t,right:this.product()};return this.depth-=1,t}product(){let t=this.factor();for(;["*","/"].includes(this.peek().
upper);)t={sign:this.next().upper,left:t,right:this.factor()};return t}factor(){let t=this.peek();if(t.kind==="number")return{number:Number(this.next().text)};if(this.
take("(")){let n=this.difference();return this.expect(")"),n}if(t.upper==="*")throw new g("SELECT * has no rows to show here: ask for COUNT(*)");let e=this.name(
"an attribute or COUNT(*)");return this.take("(")?this.called(e):{name:e}}called({text:t}){let e=t.toUpperCase();if(e==="CAST"||e==="NULLIF")return this.wrapped(
e);if(e==="SHARE")return this.shareOf();if(Us.includes(e))throw new g(`${t}() is not known here; the table of quantiles tells it`);if((Hs.includes(e)||Ps.includes(
e))&&this.defer(`${t}()`),!["COUNT","SUM","AVG","MEAN"].includes(e))throw new g(`${t}() is not known here; ${G}`);if(e==="SUM"&&this.tokens[this.at+1].text==="(")
return this.summedOver();if(e==="COUNT"&&this.take("*"))return this.expect(")"),this.filtered("count",null,"COUNT(*)");if(this.peek().upper==="DISTINCT")throw new g(
"the view holds no distinct values; ask COUNT(*), or group by the attribute");let n=this.name("an attribute");this.expect(")");let s=e==="COUNT"?"count":e==="SU\
M"?"sum":"avg";return this.filtered(s,n,`${s.toUpperCase()}(${n.text})`)}wrapped(t){let e=this.difference();if(t==="CAST")return this.expect("AS"),this.name("a \
type"),this.expect(")"),e;if(this.expect(","),this.next().text!=="0")throw new g(`NULLIF is known with 0 alone; ${G}`);return this.expect(")"),{nullIfZero:e}}filtered(t,e,n){
if(!this.take("FILTER"))return{measure:{kind:t,of:e,filter:null},text:n};this.expect("("),this.expect("WHERE");let s=this.where();return this.expect(")"),{measure:{
kind:t,of:e,filter:s},text:n}}shareOf(){if(this.take("*"),this.expect(")"),this.peek().upper==="FILTER")throw new g("SHARE takes no FILTER; ask COUNT(*) FILTER \
(WHERE …) / COUNT(*)");return{measure:{kind:"share",of:null,whole:"",within:this.take("OVER")?this.window():[],scale:1,written:"SHARE"},text:"SHARE(*)"}}summedOver(){
let t=this.term();return this.expect(")"),this.expect("OVER"),{whole:t,within:this.window()}}window(){this.expect("(");let t=this.takeBoth("PARTITION","BY")?this.
list(()=>this.term()):[];if(this.peek().upper==="ORDER")throw new g(`a share is OVER () or OVER (PARTITION BY …), without ORDER BY; ${cn}`);return this.expect(
")"),t}};function rr(r){return new pn(er(r)).query()}var pn=class extends ee{query(){this.expect("SELECT"),this.peek().upper==="DISTINCT"&&this.refuse("DISTINCT");let t=this.
list(()=>this.item());this.expect("FROM");let e=this.name("the table, which is called view");if(e.text.toLowerCase()!=="view")throw new g(`there is one table he\
re, view; not ${H(e.text)}`);let n=this.take("(");n&&(this.expect("SIMULTANEOUS"),this.expect(")")),this.peek().kind==="sign"&&this.peek().text===","&&this.refuse(
"more than one table");let s=this.take("WHERE")?this.where():null,o=this.takeBoth("GROUP","BY")?this.list(()=>this.term()):[],i=this.take("HAVING")?this.either(
()=>this.comparison()):null,a=this.takeBoth("ORDER","BY")?this.list(()=>this.ordering()):[],l=this.take("LIMIT")?this.whole("LIMIT"):null,u=this.take("OFFSET")?
this.whole("OFFSET"):0;return this.take(";"),this.peek().kind!=="end"&&this.refuse(this.peek().text),{items:t,where:s,group:o,having:i,order:a,limit:l,offset:u,
simultaneous:n}}item(){let t=this.term(),e=this.peek(),n=this.take("AS")||e.kind==="quoted"||e.kind==="word"&&e.upper!=="FROM";return{...t,alias:n?this.name("a \
name after AS").text:null}}ordering(){let t=this.term(),e=this.take("DESC");e||this.take("ASC");let n=!1;return this.take("NULLS")&&(n=this.take("FIRST"),n||this.
expect("LAST")),{...t,down:e,nullsFirst:n}}};var ut=class{constructor(t,e,n,s=!1){this.engine=t;this.boxes=e;this.group=n;this.filtered=s}engine;boxes;group;filtered;parts(t,e=this.group.map((n,s)=>s)){return this.
boxes.map(s=>{let o={...s};for(let i of e){let{axis:a}=this.group[i];o[a]=Ut(t.bins[i],o[a])}return o}).filter(s=>e.every(o=>s[this.group[o].axis].length))}answer(t){
return t.answer??=this.engine.answer(this.parts(t),t.value),t.answer}place(t,e){let n=t.name?this.group.indexOf(P(t.name,this.engine)):-1;if(n<0)throw new g(`${e}\
 takes what stands in GROUP BY`);return n}};function sr(r,[t]){return t>=r.count?r.other&&t===r.count?1/0:null:r.ordered?r.edge(t):r.names[t]}function or(r,t){if(!r.
ordered)return t;let e=r.parse(t);if(e===null)throw new g(`${r.name}: cannot read '${t}' as ${r.type}`);return e}function ne(r,t,{simultaneous:e=!1}={}){let n=rr(t),s=r.jointly(1),o=n.items.map(d=>({...d,attribute:d.name?P(d.name,s):null})),i=js(n.group,o,s),a=At(n.where,s),
l=new ut(s,a,i,n.having!==null),u=o.map(d=>Gs(d,l));if(!u.some(d=>d.measure))throw new g(`list ${lt(s.facts.measure)} too: a view holds totals, not rows`);let h=d=>qs(
d,u,l),c=Ws(l);(e||n.simultaneous)&&(s.together=c.length*Ds(n.items)),n.having&&(c=Hn(n.having,c,h)),Ks(c,n.order,h);let p=n.limit===null?c.length:n.offset+n.limit;
return{columns:u.map(d=>d.column),rows:c.slice(n.offset,p)}}function Ds(r){return new Set(r.flatMap(t=>t.measure?[dn(t.measure,t.text)]:[])).size}function dn(r,t){
return JSON.stringify([t,r])}function js(r,t,e){let n=r.map(s=>{let o=lr(s,t),i=o?o.attribute:s.name&&P(s.name,e);if(!i)throw new g("GROUP BY takes attributes");
return i});return[...new Set(n)]}function Gs(r,t){let{alias:e,attribute:n}=r;if(r.measure){let o=ar(ln(r,t));return{alias:e,attribute:n,asked:r,measure:o,column:{
...o,name:e??o.title}}}if(!n)throw new g("SELECT takes attributes and measures, not numbers");let s=t.group.indexOf(n);if(s<0)throw new g(`${n.name} must be in \
GROUP BY to be listed`);return{alias:e,attribute:n,asked:null,measure:null,column:fn(e??n.name,s)}}function fn(r,t){return{name:r,text:e=>e.labels[t],key:e=>e.bins[t][0]}}
function ar(r){let t=new Map,e=new Map;return{...r,value(n){let s=t.get(n),o=s===void 0?r.value(n):s;return t.set(n,o),o},*figure(n){let s=e.get(n)??(yield*r.figure(
n));return e.set(n,s),s}}}function qs(r,t,e){let n=lr(r,t),s=n?.measure??(r.measure&&zs(r,t,e));if(s)return{get:l=>s.value(l),read:ir};let o=!n&&r.name?Vs(r,t):
null;if(o)return{get:l=>V(o.measure.figure(l))[o.end],read:ir};let i=n?n.attribute:r.name&&P(r.name,e.engine);if(!i)throw new g("only what can be listed can be \
compared or ordered by");let a=e.group.indexOf(i);if(a<0)throw new g(`${i.name} must be in GROUP BY to be compared or ordered by`);return{get:l=>sr(i,l.bins[a]),
read:l=>or(i,l)}}function zs(r,t,e){let n=dn(r.measure,r.text);return t.find(({asked:o})=>o&&dn(o.measure,o.text)===n)?.measure??ar(ln(r,e))}function Vs({name:r},t){
for(let{alias:e,measure:n}of t)for(let s of["low","high"])if(n&&e&&`${e}_${s}`.toLowerCase()===r.text.toLowerCase())return{measure:n,end:s};return null}function ir(r){
let t=Number(r);if(r.trim()===""||!Number.isFinite(t))throw new g(`a measure is compared with a number, not '${r}'`);return t}function lr(r,t){if(r.number!==void 0)
return _s(r,t);let{name:e}=r;return e?t.find(n=>n.alias?.toLowerCase()===e.text.toLowerCase()):void 0}function _s({number:r},t){let e=t[r-1];if(!e)throw new g(`\
there is no item ${r} in the list`);return e}function Ks(r,t,e){let n=t.map(i=>({...i,get:e(i).get})),s=i=>+(i===null),o=({get:i,down:a,nullsFirst:l},u,h)=>{let[
c,p]=[i(u),i(h)];return c===null||p===null?(s(c)-s(p))*(l?-1:1):(c<p?-1:+(c>p))*(a?-1:1)};r.sort((i,a)=>n.reduce((l,u)=>l||o(u,i,a),0))}function Ws({engine:r,boxes:t,
group:e}){let n=e.map(s=>s.axis);return t.length?Dt(r,t,n,e.map(Ys)):n.length?[]:[{labels:[],bins:[],value:0,answer:null}]}function Ys(r){if(r.size>Xe)throw new g(
`${r.name} has ${r.size.toLocaleString("en-US")} values, too many to group by`);return Array.from({length:r.size},(t,e)=>[e,e+1])}var W=(r,t)=>({length:r,months:0,at:t}),gn=(r,t,e)=>({length:t*864e5,months:r,at:e}),X={year:gn(12,365,r=>r.getUTCFullYear()),quarter:gn(3,90,r=>Math.floor(r.getUTCMonth()/
3)+1),month:gn(1,28,r=>r.getUTCMonth()+1),week:W(6048e5,Qs),day:W(864e5,r=>r.getUTCDate()),dow:W(864e5,r=>r.getUTCDay()),isodow:W(864e5,r=>r.getUTCDay()||7),doy:W(
864e5,r=>(St(X.day,r.getTime())-Date.UTC(r.getUTCFullYear()))/864e5+1),hour:W(36e5,r=>r.getUTCHours()),minute:W(6e4,r=>r.getUTCMinutes()),second:W(1e3,r=>r.getUTCSeconds())};
function Qs(r){let t=new Date(St(X.week,r.getTime())+2592e5);return Math.floor((t.getTime()-Date.UTC(t.getUTCFullYear()))/(7*864e5))+1}function St({months:r,length:t},e){
let n=new Date(e);if(r)return Date.UTC(n.getUTCFullYear(),Math.floor(n.getUTCMonth()/r)*r);let s=t===7*864e5?3456e5:0;return Math.floor((e-s)/t)*t+s}function ur({
months:r,length:t},e){if(!r)return e+t;let n=new Date(e);return Date.UTC(n.getUTCFullYear(),n.getUTCMonth()+r)}function tt(r,t,e,n=[0,r.count]){let s=X[t];if((r.tickAt(n[1])-r.tickAt(n[0]))/s.length>1.2*e+2)return null;let o=[],i=r.tickAt(n[1]);for(let a=St(s,r.tickAt(n[0]));a<
i;){let l=ur(s,a),[u,h]=[a,l].map(p=>r.positionOf(p)),c=[Math.max(u,n[0]),Math.min(h,n[1])];if(c[0]%1||c[1]%1)return null;c[0]<c[1]&&o.push(c),a=l}return o.length<=
e?o:null}function hr(r,[t,e]){let[n,s]=[r.tickAt(t),r.tickAt(e)],o=Zs.find(i=>St(X[i],n)===n&&ur(X[i],n)===s);return o?Js(o,n):r.describeRange(t,e)}var Zs=["yea\
r","quarter","month","week","day","hour"];function Js(r,t){let e=new Date(t).toISOString();return r==="year"?e.slice(0,4):r==="quarter"?`${e.slice(0,4)} Q${X.quarter.
at(new Date(t))}`:r==="month"?e.slice(0,7):r==="week"?`week of ${e.slice(0,10)}`:r==="day"?e.slice(0,10):e.slice(0,16).replace("T"," ")}function cr(r,t,e){let n=t.
map(([l])=>r.tickAt(l)),s=n.slice(1),o=l=>s.every(u=>St(X[l],u)===u),i=new Date(r.tickAt(e[0])).toISOString();return o("year")?i.slice(0,4):o("month")?i.slice(0,
7):o("day")?i.slice(0,10):(n[n.length-1]-n[0])/864e5<=1?i.slice(11,16):i.slice(5,16).replace("T"," ")}var Et=["year","quarter","month","week","day","hour"];function ht(r,t,e,n=e){let s=t.special.map(a=>[a,a+1]);if(!t.ordered)return[...r.engine.largestNames(t.axis).
slice(0,e).map(l=>[l,l+1]),...s];if(!t.isCalendar)return t.displayBins(e);let o=r.grains[t.axis],i=o&&tt(t,o.unit,n,o.window??void 0);return i?[...i,...s]:Xs(t,
e)}function Xs(r,t){let e=r.displayBins(t);if(r.count<=t)return e;let n=e.filter(([o])=>o>=r.count),s=Et.map(o=>tt(r,o,t)).findLast(o=>o&&o.length>1);return s?[
...s,...n]:e}function T(r,t){return r.isCalendar&&t[0]<r.count?hr(r,t):r.describeBin(t)}function It(r,t,e){if(!r.ordered||e[0]>=r.count)return r.describe(e[0]);
if(!r.isCalendar)return r.text(r.tickAt(e[0]));let n=t.filter(([s])=>s<r.count);return cr(r,n,e)}var to="http://www.w3.org/2000/svg";function m(r,t={},...e){return pr(document.createElement(r),t,e)}function b(r,t={},...e){return pr(document.createElementNS(
to,r),t,e)}function S(r,t){for(let[e,n]of Object.entries(t))n===null||n===!1?r.removeAttribute(e):r.getAttribute(e)!==String(n)&&r.setAttribute(e,n===!0?"":String(
n))}var mr=0;function E(r){return mr+=1,`${r}-${mr}`}function pr(r,t,e){for(let[n,s]of Object.entries(t))typeof s=="function"?r.addEventListener(n.slice(2),s):s!==
null&&s!==!1&&s!==void 0&&r.setAttribute(n,s===!0?"":String(s));for(let n of e)n!=null&&r.append(typeof n=="number"?String(n):n);return r}var eo=Array.from({length:10},(r,t)=>new Intl.NumberFormat("en-US",{minimumFractionDigits:t,maximumFractionDigits:t})),no=new Intl.NumberFormat("en-US",{notation:"\
compact",maximumSignificantDigits:3});function v(r,t=0){let e=eo[t].format(r);return/[1-9]/.test(e)?e:e.replace("-","")}function Y({value:r,stderr:t,low:e,high:n}){
if(e===null)return 0;let s=Math.max(t??0,n===null?0:(n-e)/2/2.12);return s===0?Number.isInteger(r)?0:3:Math.min(9,Math.max(0,1-Math.floor(Math.log10(s))))}function et(r){
return v(r.value,Y(r))}function mt(r){if(r.low===null)return"error unknown";let t=Y(r);return`${v(r.low,t)} to ${v(r.high,t)}`}function pt(r){return r.low===null?
`${et(r)} (error unknown)`:`${et(r)} (95 %: ${mt(r)})`}function re(r){return no.format(r).replace("K","k")}function se(r,t){if(!(r>0))return[0];let e=r/t,n=10**
Math.floor(Math.log10(e)),s=([1,2,5].find(i=>i*n>=e)??10)*n,o=[];for(let i=0;i*s<=r*1.0001;i+=1)o.push(i*s);return o}function oe(r,t){return r.length<=t?r:`${r.
slice(0,Math.max(1,t-1))}…`}var ie=class{constructor(t,e){this.store=t;this.attribute=e;let n=E("bars"),s=e.count,o=Et.filter(i=>tt(e,i,s)?.length);this.options=o.map(i=>m("option",{value:i},
`${i}s`)),this.select=m("select",{id:n,onchange:()=>this.choose(this.select.value)},m("option",{value:""},"automatic"),...this.options),this.element=m("p",{class:"\
chooser",hidden:o.length===0},m("label",{for:n},"Bars",m("span",{class:"unseen"},` of ${e.title}`)),this.select,this.hint)}store;attribute;element;select;options;hint=m(
"span",{class:"note"});draw(){let{axis:t}=this.attribute,e=this.store.grains[t];this.select.value=e?.unit??"";let n=!1;for(let i of this.options)i.disabled=!this.
grainOf(i.value),n||=i.disabled;let s=e?.window,o=s&&`only ${this.attribute.describeRange(...s)}; Clear draws all`;this.hint.textContent=o??(n?"select a shorter\
 range for finer bars":"")}grainOf(t){let{attribute:e,store:n}=this;if(tt(e,t,ae))return{unit:t,window:null};let s=n.grains[e.axis]?.window??ro(n.filters[e.axis],
e.count);return s&&tt(e,t,ae,s)?{unit:t,window:s}:null}choose(t){let{[this.attribute.axis]:e,...n}=this.store.grains,s=t?this.grainOf(t):null;this.store.choose(
"grains",s?{...n,[this.attribute.axis]:s}:n)}};function ro(r,t){let e=r?.filter(([s])=>s<t)??[],n=e[e.length-1];return n?[Math.floor(e[0][0]),Math.min(Math.ceil(
n[1]),t)]:null}var dr=10,le=class{constructor(t,e,n){this.attribute=t;this.bins=e;this.choose=n;this.ends=["low","high"].map((s,o)=>this.grip(s,o)),this.element=b("g",{class:"\
brushing"},this.area,this.chosen,...this.ends.map(({element:s})=>s)),this.element.addEventListener("pointerdown",s=>this.press(s)),this.element.addEventListener(
"pointermove",s=>this.drag(s));for(let s of["pointerup","pointercancel"])this.element.addEventListener(s,()=>this.release())}attribute;bins;choose;element;tint=b(
"rect",{class:"tint",visibility:"hidden"});range=null;held=null;area=b("rect",{class:"brush-area"});chosen=b("rect",{class:"brush",visibility:"hidden"});ends;x=()=>0;top=0;bottom=0;grip(t,e){
let n=b("line"),s=b("rect",{rx:3,width:6,height:22,x:-3}),o={class:"grip",tabindex:0,role:"slider","aria-label":`${this.attribute.title}, ${t} end of the range`,
onkeydown:i=>this.key(i,e)};return{element:b("g",o,n,s),line:n,handle:s}}place(t,e,n){Object.assign(this,{x:t,top:e,bottom:n});let s=this.bins[this.bins.length-
1][1],o=this.bins[0][0];S(this.area,{x:t(o),width:t(s)-t(o),y:e,height:n-e})}draw(t){this.range=t;let[e,n]=[this.bins[0][0],this.bins[this.bins.length-1][1]],[s,
o]=t??[e,n],[i,a]=[this.x(s),this.x(o)],l={x:i,width:Math.max(1,a-i),y:this.top,height:this.bottom-this.top};for(let u of[this.tint,this.chosen])S(u,{...l,visibility:t?
"visible":"hidden"});this.ends.forEach(({element:u,line:h,handle:c},p)=>{S(u,{transform:`translate(${p===0?i:a} 0)`,class:t?"grip held":"grip","aria-valuemin":e,
"aria-valuemax":n,"aria-valuenow":p===0?s:o,"aria-valuetext":this.say(p===0?s:o,p)}),S(h,{y1:this.top,y2:this.bottom}),S(c,{y:(this.top+this.bottom)/2-11})})}say(t,e){
let n=this.attribute.tickAt(t);return this.attribute.text(e===0?n:n-this.attribute.step)}barAt(t){let e=t.clientX-(this.area.ownerSVGElement?.getBoundingClientRect().
left??0),n=this.bins.findIndex(([,s])=>e<this.x(s));return n<0?this.bins.length-1:n}press(t){if(t.button!==0)return;let{target:e}=t,n=this.ends.findIndex(({element:o})=>e instanceof
Node&&o.contains(e)),s=this.range!==null&&e===this.chosen;this.held={grip:n,bar:this.barAt(t),moved:!1,moving:s,span:this.barsOf(this.range)},this.element.setPointerCapture(
t.pointerId),t.preventDefault()}drag(t){if(!this.held)return;let{grip:e,bar:n,moving:s,span:o}=this.held,i=this.barAt(t);if(!(i===n&&!this.held.moved))if(this.held.
moved=!0,e>=0&&o){let a=e===0?o[1]:o[0];this.chooseBars(Math.min(a,i),Math.max(a,i))}else if(s&&o){let a=Math.max(-o[0],Math.min(this.bins.length-1-o[1],i-n));this.
chooseBars(o[0]+a,o[1]+a)}else this.chooseBars(Math.min(n,i),Math.max(n,i))}release(){let{held:t}=this;if(this.held=null,!t||t.moved||t.grip>=0)return;t.span&&t.
span[0]===t.bar&&t.span[1]===t.bar?this.pick(null):this.chooseBars(t.bar,t.bar)}key(t,e){let n=this.bins.length-1,s=this.barsOf(this.range)??[0,n],o={ArrowLeft:-1,
ArrowDown:-1,ArrowRight:1,ArrowUp:1,PageDown:-dr,PageUp:dr,Home:-n,End:n};if(t.key==="Escape"||t.key==="Delete")this.pick(null);else if(t.key in o){let i=e===0?
[0,s[1]]:[s[0],n];s[e]=Math.max(i[0],Math.min(i[1],s[e]+o[t.key])),this.chooseBars(...s)}else return;t.preventDefault()}barsOf(t){if(!t)return null;let e=this.bins.
findIndex(([,s])=>s>t[0]),n=this.bins.findLastIndex(([s])=>s<t[1]);return[e,n]}chooseBars(t,e){let n=t===0&&e===this.bins.length-1;this.pick(n&&!this.held?null:
[this.bins[t][0],this.bins[e][1]])}pick(t){this.range=t,this.choose(t)}};var kt=150,N={left:44,right:10,top:8,bottom:22},fr=6.6,so=5,oo=[1,2,5,10,20,25,50,100],ue=class{constructor(t,e,n){this.attribute=t;this.bins=e;this.starts=e.map(
([s])=>s),this.bars=e.map(()=>b("rect",{class:"column"})),this.brush=new le(t,e,n),this.picture=b("svg",{class:"histogram",height:kt,role:"group","aria-label":`\
Histogram of ${t.title}`},this.axis,this.brush.tint,b("g",{"aria-hidden":"true"},...this.bars),this.halo,this.band,this.line,this.brush.element),this.picture.addEventListener(
"pointermove",s=>this.tell(s)),this.picture.addEventListener("pointerleave",()=>{this.told.textContent=this.summary}),this.element=m("div",{class:"plot"},this.picture,
this.told)}attribute;bins;element;bars;picture;halo=b("path",{class:"halo"});band=b("path",{class:"band"});line=b("path",{class:"level"});axis=b("g",{class:"axi\
s","aria-hidden":"true"});told=m("p",{class:"told","aria-hidden":"true"});brush;starts;summary="";width=0;top=1;values=null;answers=null;range=null;filtered=!1;resize(){
let t=Math.max(160,Math.floor(this.element.clientWidth));t!==this.width&&(this.width=t,S(this.picture,{width:t,viewBox:`0 0 ${t} ${kt}`}),this.brush.place(e=>this.
x(e),N.top,kt-N.bottom),this.values&&this.paint(this.values))}x(t){let e=Math.max(0,C(this.starts,t)),[n,s]=this.bins[e],o=e+Math.min(1,Math.max(0,(t-n)/(s-n)));
return N.left+o/this.bins.length*(this.width-N.left-N.right)}draw(t,e,n){Object.assign(this,{values:t,range:e,filtered:n,answers:null}),this.width||this.resize(),
this.paint(t)}summarize(t){this.told.textContent===this.summary&&(this.told.textContent=t),this.summary=t}drawErrors(t){this.answers=t,this.values&&this.paint(this.
values)}paint(t){let e=Math.max(...t,0),n=this.answers?Math.max(...this.answers.map(a=>a.high??0)):0;this.top=Math.max(e*1.06,Math.min(n,e*1.6))||1;let s=this.y(
0),o=this.bins.length>60?.5:1;this.bins.forEach(([a,l],u)=>{let h=this.y(Math.max(t[u],0)),c=!this.filtered||this.range&&a<this.range[1]&&l>this.range[0];S(this.
bars[u],{x:this.x(a)+o/2,width:Math.max(.5,this.x(l)-this.x(a)-o),y:h,height:Math.max(0,s-h),class:c?"column":"column out"})}),this.paintBand(),this.paintAxis(),
this.brush.draw(this.range);let i=t.indexOf(e);if(i>=0){let a=T(this.attribute,this.bins[i]);S(this.picture,{"aria-label":`Histogram of ${this.attribute.title};\
 the largest bar is ${a} with ${v(e)}`})}}paintBand(){let t=this.answers?.filter(o=>o.low!==null)??[],e=t.length===this.bins.length,n=(this.width-N.left-N.right)/
this.bins.length>=so;this.picture.classList.toggle("banded",e&&!n);let s=e&&n?this.errorBars(t):null;S(this.halo,{d:s}),S(this.line,{d:e&&!n?this.levelLine():null}),
S(this.band,{d:s??(e?this.steps(t):null),class:n?"band bars":"band"})}errorBars(t){let e=Math.min(4,(this.x(this.bins[0][1])-this.x(this.bins[0][0]))/4);return this.
bins.map(([s,o],i)=>{let a=(this.x(s)+this.x(o))/2,[l,u]=[this.y(t[i].low),this.y(t[i].high)],h=c=>`M${a-e},${c}h${2*e}`;return`M${a},${l}V${u}${h(l)}${h(u)}`}).
join("")}levelLine(){return`M${this.bins.map(([e,n],s)=>{let o=this.y(Math.max(this.values?.[s]??0,0));return`${this.x(e)},${o} ${this.x(n)},${o}`}).join(" ")}`}steps(t){
let e=this.bins.map(([s,o],i)=>`${this.x(s)},${this.y(t[i].high)} ${this.x(o)},${this.y(t[i].high)}`),n=this.bins.map(([s,o],i)=>`${this.x(o)},${this.y(t[i].low)}\
 ${this.x(s)},${this.y(t[i].low)}`);return`M${e.join(" ")} ${n.reverse().join(" ")}Z`}paintAxis(){let t=se(this.top,3).map(e=>b("g",{},b("line",{x1:N.left,x2:this.
width-N.right,y1:this.y(e),y2:this.y(e)}),b("text",{x:N.left-6,y:this.y(e)+4,"text-anchor":"end"},re(e))));for(let[e,n]of this.marks())t.push(b("text",{x:e,y:kt-
6,"text-anchor":"middle"},n));this.axis.replaceChildren(...t)}marks(){let{attribute:t,bins:e,width:n}=this,s=e.map(p=>It(t,e,p)),o=Math.max(...s.map(p=>p.length))*
fr+10,i=oo.find(p=>p*(this.x(e[0][1])-this.x(e[0][0]))>=o)??e.length,a=e[0][1]-e[0][0],l=t.bins.width&&!t.isCalendar,u=p=>l?t.edge(p)/(t.bins.width??1)/a:NaN,h=e.
findIndex(([p])=>u(p)%i===0),c=[];for(let p=Math.max(h,0);p<e.length;p+=i){let[d,f]=e[p],y=f-d===1&&t.step>0||t.isCalendar?(this.x(d)+this.x(f))/2:this.x(d),x=s[p].
length*fr/2;y-x>=0&&y+x<=n&&c.push([y,s[p]])}return c}tell(t){let e=t.clientX-this.picture.getBoundingClientRect().left,n=this.bins.findIndex(([o,i])=>e>=this.x(
o)&&e<this.x(i));if(n<0||!this.values){this.told.textContent=this.summary;return}let s=this.answers?pt(this.answers[n]):v(this.values[n]);this.told.textContent=
`${T(this.attribute,this.bins[n])}: ${s}`}y(t){let e=kt-N.top-N.bottom;return N.top+e*(1-Math.min(t/this.top,1))}};var io=/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/,ao=/^['"`‘’“”\p{Z}\p{C}]*?[=+\-@\u2212\p{Cc}]/u;function gr(r){return!io.test(r)&&ao.test(r.normalize("\
NFKC"))}var lo=2;function he(r,t){let e=(i,a)=>m("button",{type:"button",onclick:()=>{a(),o.open=!1,n.focus()},"aria-label":`${r}: save ${i}`},i),n=m("summary",{"aria-l\
abel":`Save ${r}`},"Save"),s=()=>new XMLSerializer().serializeToString(t.picture()),o=m("details",{class:"menu",onkeydown:i=>i.key==="Escape"&&n.click()},n,m("d\
iv",{},e("SVG",()=>Tt(`${t.name()}.svg`,new Blob([s()],{type:"image/svg+xml"}))),e("PNG",()=>{uo(`${t.name()}.png`,t.picture())}),e("CSV",()=>Tt(`${t.name()}.cs\
v`,new Blob([wn(t.table())],{type:bn})))));return o}var bn="text/csv;charset=utf-8";function Tt(r,t){let e=URL.createObjectURL(t);m("a",{href:e,download:r}).click(),
setTimeout(()=>URL.revokeObjectURL(e),1e3)}async function uo(r,t){let[e,n]=["width","height"].map(i=>lo*Number(t.getAttribute(i))),s=new Image;s.src=`data:image\
/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(t))}`,await s.decode();let o=m("canvas",{width:e,height:n});o.getContext("2d")?.
drawImage(s,0,0,e,n),o.toBlob(i=>i&&Tt(r,i),"image/png")}function wn(r){return`${r.map(t=>t.map(ho).join(",")).join(`\r
`)}\r
`}function ho(r){let t=gr(r)?`'${r}`:r;return/[",\r\n]/.test(t)?`"${t.replaceAll('"','""')}"`:t}function ce(r){return r.normalize("NFKD").replace(/[^\w]+/g,"-").
replace(/^-+|-+$/g,"").slice(0,60)||"chart"}var co=24,me=class{element;lines;top=0;constructor(t,e,n){this.lines=e.map(([i])=>{let a=m("input",{type:"checkbox",onchange:()=>n(this.chosen())}),l=m("span",{
class:"bar-fill"}),u=m("span",{class:"whisker",hidden:!0}),h=m("span",{class:"total"}),c=t.describe(i),p=m("label",{title:c},a,m("span",{class:i>=t.count?"name \
special":"name"},c===""?"(empty)":c),m("span",{class:"track","aria-hidden":"true"},l,u),h);return{code:i,box:a,bar:l,whisker:u,total:h,label:p,item:m("li",{},p)}});
let s=m("ul",{class:"named"},...this.lines.map(({item:i})=>i)),o=m("input",{type:"search",class:"find",placeholder:"Find a name","aria-label":`Find a name of ${t.
title}`,oninput:()=>this.find(o.value)});this.element=e.length>co?m("div",{},o,s):s}find(t){let e=t.trim().toLowerCase();for(let{label:n,item:s}of this.lines)s.
hidden=!n.title.toLowerCase().includes(e)}chosen(){return this.lines.filter(({box:t})=>t.checked).map(({code:t})=>t)}draw(t,e,n,s){let o=new Set(e);this.top=Math.
max(s,0),this.lines.forEach(({code:i,box:a,bar:l,whisker:u,total:h,label:c},p)=>{a.checked=o.has(i),c.classList.toggle("out",n&&!o.has(i)),l.style.width=`${this.
percent(t[p])}%`,u.hidden=!0,h.textContent=v(t[p])})}drawErrors(t){this.lines.forEach(({whisker:e,total:n},s)=>{let o=t[s];n.title=o?pt(o):"",!(!o||o.low===null)&&
(e.hidden=!1,e.style.left=`${this.percent(o.low)}%`,e.style.width=`${this.percent(o.high)-this.percent(o.low)}%`)})}percent(t){return this.top>0?Math.min(100,Math.
max(0,100*t/this.top/1.08)):0}};var $=class{element=m("p",{class:"note unmeasured",hidden:!0});draw(t){this.element.hidden=t==="",this.element.textContent=t}};function pe(r){return m("small",{
class:"tag",title:r},"never measured together")}var mo="fill fill-opacity stroke stroke-width stroke-opacity opacity font-size visibility".split(" "),po="system-ui, sans-serif",de=20,Ot=170,fo=26,fe=12;function ge(r,t,e){
let[n,s]=["width","height"].map(l=>Number(r.getAttribute(l))),o=go(r);for(let[l,u]of Object.entries({x:fe,y:44,width:n,height:s}))o.setAttribute(l,`${u}`);let i=nt(
"--ink"),a={width:n+2*fe,height:s+56+18*e.length};return b("svg",{xmlns:"http://www.w3.org/2000/svg",...a,"font-family":po,"font-size":12},b("rect",{...a,fill:nt(
"--paper")}),b("text",{x:fe,y:28,"font-size":16,"font-weight":600,fill:i},t),o,...e.map((l,u)=>b("text",{x:fe,y:s+60+18*u,fill:nt("--quiet")},l)))}function br(r,t,e){
let s=Math.max(1e-9,...Array.from(t),...e.map(({high:a})=>a??0)),o=a=>Ot+Math.max(a,0)/s*(640-Ot-90),i=r.flatMap((a,l)=>{let u=l*de,{low:h,high:c}=e[l]??{low:null,
high:null},p=(y,x,I={})=>b("text",{x:y,y:u+14,fill:nt("--ink"),"font-size":12,...I},x),d=u+de/2,f=h===null?"":[h,c].map(y=>`M${o(y)} ${d-4}v8`).join(""),w=h===null?
"":`M${o(h)} ${d}H${o(c)}${f}`;return[p(Ot-8,oe(a,fo),{"text-anchor":"end"}),b("rect",{x:Ot,y:u+3,width:o(t[l])-Ot,height:de-6,fill:nt("--fill")}),b("path",{d:w,
fill:"none",stroke:nt("--paper"),"stroke-width":3.5}),b("path",{d:w,fill:"none",stroke:nt("--band"),"stroke-width":1.5}),p(Math.max(o(t[l]),o(c??0))+8,v(t[l]))]});
return b("svg",{width:640,height:r.length*de+4},...i)}function nt(r){return getComputedStyle(document.documentElement).getPropertyValue(r).trim()}function go(r){
let t=r.cloneNode(!0);if(!r.isConnected)return t;let[e,n]=[r,t].map(s=>[s,...s.querySelectorAll("*")]);return e.forEach((s,o)=>{let i=getComputedStyle(s);for(let a of mo)
n[o].setAttribute(a,i.getPropertyValue(a));for(let a of["class","tabindex","role","aria-label","aria-labelledby","aria-describedby"])n[o].removeAttribute(a)}),t}function be(r,t,e){let n=m("tbody",{role:"rowgroup"},...e);return Ct(r,m("tr",{role:"row"},...t),n)}function Ct(r,t,e){return m("div",{class:"scroll",tabindex:0,
role:"region","aria-label":r},m("table",{role:"table"},m("caption",{class:"unseen"},r),m("thead",{role:"rowgroup"},t),e))}function Q(...r){return m("tr",{role:"\
row"},...r)}function q(r,...t){return m("th",{scope:"col",role:"columnheader",...r},...t)}function R(r,t,...e){return m(r,{...r==="th"?{scope:"row",role:"rowhea\
der"}:{role:"cell"},...t},...e)}function yr(r,t){let e=t.measure==="COUNT(*)",n=c=>e?`${c} rows`:`${t.measure} is ${c}`,s=c=>c[0].toUpperCase()+c.slice(1),{value:o,low:i,high:a}=r;if(i===null)
return`${s(n(`about ${v(o)}`))}; the error is unknown`;if(a-i<1)return s(n(e?v(o):v(o,2)));let l=10**Math.max(0,Math.round(Math.log10((a-i)/2))),u=Math.round(o/
l)*l;if(i<=0)return s(n(`between 0 and ${v(wr(a))}`));let h=wr(Math.max(a-u,u-i));return`${s(n(`about ${v(u)}`))}, give or take ${v(h)}`}function wr(r){let t=10**
Math.max(0,Math.floor(Math.log10(r))-1);return Math.ceil(r/t-1e-9)*t}function D(r,t,e=[]){if(r.note(t,e)==="")return"";let n=t.flatMap(o=>Object.keys(o).map(Number)),
s=[...new Set([...n,...e])].sort((o,i)=>o-i);return bo(s.map(o=>r.attributes[o].title))}function bo(r){let t=wo(r),e="the numbers assume that they are independe\
nt.";return r.length===2?`${t} were never measured together: ${e}`:`No two of ${t} were measured together: ${e}`}function wo(r){return r.length<2?r.join(""):`${r.
slice(0,-1).join(", ")} and ${r[r.length-1]}`}function dt(r,t){let e=Object.entries(t).map(([n,s])=>{let o=r.attributes[Number(n)];return`${o.title} ${o.describeIntervals(
s)}`});return e.length?e.join("; "):"all rows"}var we=class{constructor(t){this.store=t;let e=E("quantiles");this.input=m("input",{type:"text",inputmode:"decimal",onchange:()=>this.read()}),this.element=m("s\
ection",{class:"panel",id:"quantiles","aria-labelledby":e},m("header",{},m("h2",{id:e},"Quantiles"),m("label",{class:"chooser"},m("span",{},"Percent below"),this.
input)),this.problem,Ct("Quantiles of what is selected",this.head,this.body),m("p",{class:"note"},"In brackets: the bounds that the 95 % intervals of the totals\
 below and above allow. Missing and other values are left out."),this.foot.element)}store;element;input;problem=m("p",{class:"problem",role:"alert",hidden:!0});head=m(
"tr",{role:"row"});body=m("tbody",{role:"rowgroup"});foot=new $;rows=[];get axes(){let{shown:t,engine:e}=this.store;return t.filter(n=>e.attributes[n].ordered)}draw(){
let{shares:t,engine:e,filters:n}=this.store;this.element.hidden=this.axes.length===0,document.activeElement!==this.input&&(this.input.value=t.map(vr).join(", "));
let s=t.map(i=>`${vr(i)} %`);this.head.replaceChildren(q({class:"left"},"attribute"),...s.map(i=>q({},i)));let o=this.axes.map(i=>D(e,[n],[i]));this.foot.draw(o.
filter(Boolean).join(" ")),this.rows=this.axes.map((i,a)=>{let{title:l,unit:u}=e.attributes[i],h=R("th",{class:"left"},u?`${l} (${u})`:l);return o[a]&&h.append(
pe(o[a])),Q(h,...s.map(c=>R("td",{"data-label":c},"…")))}),this.body.replaceChildren(...this.rows)}*fill(){let{shares:t,engine:e,filters:n}=this.store,{axes:s,
rows:o}=this;for(let[i,a]of s.entries()){let l=e.attributes[a];Wt(e,a,t,n).forEach((u,h)=>{o[i].children[h+1].textContent=u===null?"–":$t(l,u)}),yield}for(let[
i,a]of s.entries()){let l=e.attributes[a],u=this.store.engineFor(t.length*s.length);(yield*Yt(u,a,t,n)).forEach((c,p)=>{c&&o[i].children[p+1].append(m("small",{},
yo(l,c)))})}}read(){let t=this.input.value.split(/[\s,;%]+/).filter(Boolean).map(n=>Number(n)/100),e=t.length>0&&t.length<=20&&t.every(n=>n>=0&&n<=1);this.problem.
hidden=e,this.problem.textContent=e?"":"give percentages from 0 to 100, such as 25, 50, 75",e&&this.store.choose("shares",t)}};function $t(r,t){if(r.isCalendar)
return r.brief(t);let e=(r.edge(r.count)-r.edge(0))/1e3,n=Math.max(0,Math.min(6,-Math.floor(Math.log10(e))));return t.toLocaleString("en-US",{maximumFractionDigits:n,
useGrouping:!1})}function yo(r,{low:t,high:e}){return t===null||e===null?"":` (${$t(r,t)} to ${$t(r,e)})`}function vr(r){return Number((r*100).toFixed(6))}var vo={integer:"number",number:"number",date:"date",timestamp:"text"},ye=class{constructor(t,e){this.attribute=t;this.choose=e;let n=o=>m("input",{type:vo[t.type],
step:t.type==="number"?"any":null,"aria-label":`${t.title} ${o}`,onchange:()=>this.read()});this.low=n("from"),this.high=n("to"),this.element=m("div",{class:"en\
ds"},this.low,m("span",{"aria-hidden":"true"},"to"),this.high,this.problem);let s=[t.text(t.edge(0)),t.text(t.edge(t.count)-t.step)];[this.low.placeholder,this.
high.placeholder]=s}attribute;choose;element;low;high;problem=m("p",{class:"problem",role:"alert",hidden:!0});draw(t){let{attribute:e}=this;this.low.value=t?e.text(
e.tickAt(t[0])):"",this.high.value=t?e.text(e.tickAt(t[1])-e.step):"",this.problem.hidden=!0}read(){let[t,e]=[this.low,this.high].map(n=>n.value.trim()===""?null:
n.value);try{if(this.problem.hidden=!0,t===null&&e===null)this.choose(null);else{let[n]=it(this.attribute,t,e);if(!n)throw new g(`${this.attribute.name}: no val\
ue lies in that range`);this.choose(n)}}catch(n){if(!(n instanceof g))throw n;this.problem.textContent=n.message,this.problem.hidden=!1}}};var xo=100,ae=400,yn=1e3,ve=class{constructor(t,e){this.store=t;this.attribute=e;let n=E("card"),{axis:s,title:o,unit:i,description:a}=e;this.clear=m("button",{
type:"button",class:"quiet",onclick:()=>t.filter(s,null)},"Clear"),this.grain=e.isCalendar?new ie(t,e):null,this.inputs=e.ordered?new ye(e,h=>this.choose(h,this.
ticked())):null;let l=he(o,{name:()=>ce(o),picture:()=>this.picture(),table:()=>this.table()}),u=m("h3",{id:n},o,i?m("small",{},i):null);this.element=m("section",
{class:"card","aria-labelledby":n},m("header",{},u,m("span",{class:"acts"},this.clear,l)),a?m("p",{class:"note"},a):null,this.grain?.element,this.note.element,this.
body),this.arrange()}store;attribute;element;bins=[];values=new Float64Array(0);answers=[];regular=[];clear;note=new $;grain;body=m("div",{});inputs;histogram=null;named=null;arrange(){
let{attribute:t,store:e}=this,n=ht(e,t,t.ordered?xo:yn,ae);if(String(n)===String(this.bins))return;this.bins=n,this.regular=n.filter(([u])=>u<t.count);let s=n.slice(
this.namedFrom);this.histogram=t.ordered?new ue(t,this.regular,u=>this.choose(u,this.ticked())):null,this.named=s.length?new me(t,s,u=>this.choose(this.range(),
u)):null;let o=!t.ordered&&t.count>yn,[i,a]=[yn,t.count].map(u=>v(u)),l=[this.histogram?.element,this.inputs?.element,this.named?.element,o?m("p",{class:"note"},
`The ${i} largest of ${a} names; ask for others in SQL.`):null];this.body.replaceChildren(...l.filter(u=>u instanceof HTMLElement))}draw(t){let{engine:e,filters:n}=this.
store;this.values=t,this.answers=[];let s=this.attribute.axis in n;this.element.classList.toggle("filtered",s),this.clear.hidden=!s,this.note.draw(D(e,[n],[this.
attribute.axis])),this.grain?.draw(),this.histogram?.draw(t.subarray(0,this.regular.length),this.range(),s),this.inputs?.draw(this.range()),this.named?.draw(t.subarray(
this.namedFrom),this.ticked(),s,Math.max(...t))}drawErrors(t,e){this.answers=t;let n=e.flatMap(a=>a===null?[]:[$t(this.attribute,a)]),[s,o,i]=n;this.histogram?.
summarize(n.length?`median ${o}, interquartile range ${s} to ${i}`:""),this.histogram?.drawErrors(t.slice(0,this.regular.length)),this.named?.drawErrors(t.slice(
this.namedFrom))}resize(){this.histogram?.resize()}picture(){let{engine:t,filters:e}=this.store,{title:n,unit:s,axis:o}=this.attribute,i=Math.min(this.bins.length,
60),a=this.bins.slice(0,i).map(c=>T(this.attribute,c)),l=this.histogram?.picture??br(a,this.values,this.answers),{[o]:u,...h}=e;return ge(l,s?`${n} (${s})`:n,[`${t.
facts.title}: ${t.facts.measure} with 95 % intervals`,dt(t,h)])}table(){let t=this.bins.map((e,n)=>{let{low:s,high:o}=this.answers[n]??{low:null,high:null};return[
T(this.attribute,e),String(this.values[n]),String(s??""),String(o??"")]});return[[this.attribute.title,this.store.engine.facts.measure,"low","high"],...t]}get namedFrom(){
return this.attribute.ordered?this.regular.length:0}range(){let t=this.store.filters[this.attribute.axis];if(!t||!this.attribute.ordered)return null;let e=t.filter(
([n])=>n<this.attribute.count);return e.length===0?null:[e[0][0],Math.min(e[e.length-1][1],this.attribute.count)]}ticked(){let t=this.store.filters[this.attribute.
axis]??[];return(this.attribute.ordered?this.attribute.special:this.bins.map(([n])=>n)).filter(n=>t.some(([s,o])=>s<=n&&n<o))}choose(t,e){let n=e.map(s=>[s,s+1]);
t&&t[0]<t[1]&&n.unshift(t),this.store.filter(this.attribute.axis,n.length?O(n):null)}};function xr(r,t,e,n){let s=n==="COUNT(*)",[o,i,a]=s?["more","fewer","rows"]:["a larger","a smaller",n],{value:l,low:u,high:h}=r,c=`Cannot tell whether ${t} or ${e}\
 has ${o} ${a}`;if(l===null||u===null||h===null)return`${c}: the error is unknown.`;let p=x=>v(x,Y(r));if(u===0&&h===0)return`${t} and ${e} are the same.`;if(u<=
0&&h>=0)return`${c}: the difference is ${p(u)} to ${p(h)} (95 %).`;let d=u>0?o:i,[f,w]=u>0?[u,h]:[-h,-u],y=s?`${p(Math.abs(l))} ${d}`:`by ${p(Math.abs(l))}`;return`${t}\
 has ${d} ${a} than ${e}: ${y} (${p(f)} to ${p(w)}, 95 %).`}var Ar=["A","B"],xe=class{constructor(t){this.store=t;let e=E("compare"),n=o=>m("button",{type:"button",onclick:()=>this.take(o)},`Use the selection as ${Ar[o]}`),
s=m("button",{type:"button",class:"quiet",onclick:()=>this.swap()},"Swap");this.element=m("section",{class:"panel compare","aria-labelledby":e},m("header",{},m(
"h2",{id:e},"Compare two selections")),this.verdict,this.place,this.note.element,m("p",{class:"acts"},n(0),n(1),s),m("p",{class:"note"},"Select with the charts,\
 take the selection as A, select something else, take it as B."))}store;element;verdict=m("p",{class:"verdict",role:"status"});place=m("div",{});note=new $;take(t){
let e=[...this.store.compared];e[t]=this.store.filters,this.store.choose("compared",e)}swap(){let[t,e]=this.store.compared;this.store.choose("compared",[e,t])}draw(){
let{engine:t,compared:e}=this.store,n=e.map(f=>dt(t,f)),s=Vt(t,[e[0]],[e[1]]);this.verdict.textContent=xr(s,n[0],n[1],t.facts.measure);let o=(f,w,y,x)=>Q(R("th",
{class:"left"},f),R("td",{class:"left wraps","data-label":"selection"},w),R("td",{"data-label":t.facts.measure},y),R("td",{"data-label":"95 % interval"},x)),i=e.
map((f,w)=>{let y=t.answer(f);return o(Ar[w],n[w],et(y),mt(y))}),{value:a,low:l,high:u}=s,h=f=>v(f??0,Y(s)),c=l===null||u===null?"error unknown":`${h(l)} to ${h(
u)}`;i.push(o("A − B","difference",h(a),c));let d=["","selection",t.facts.measure,"95 % interval"].map((f,w)=>q({class:w<2?"left":null},f||m("span",{class:"un\
seen"},"side")));this.place.replaceChildren(be("Two selections compared",d,i)),this.note.draw(e.map(f=>D(t,[f])).find(Boolean)??"")}};var Ae=class{constructor(t){this.store=t;this.clear=m("button",{type:"button",class:"quiet",onclick:()=>t.clear()},"Clear all"),this.link=m("button",{type:"butt\
on",class:"quiet",onclick:()=>this.copy()},"Copy link");let e=m("span",{class:"measure"},t.engine.facts.measure);this.element=m("section",{class:"bar","aria-lab\
el":"Selected"},m("div",{class:"bar-in"},m("div",{},this.words,m("p",{class:"figure"},e,this.value,this.range,this.part)),m("div",{class:"filters"},this.chips,m(
"span",{class:"acts"},this.clear,this.link))),this.note.element,this.spoken)}store;element;words=m("p",{class:"count",id:"words"});value=m("strong",{id:"count"});range=m(
"span",{class:"range",id:"range"});note=new $;part=m("span",{class:"part"});spoken=m("p",{class:"unseen",role:"status","aria-live":"polite"});chips=m("ul",{class:"\
chips","aria-label":"Filters"});clear;link;timer=0;draw(t,e){let{engine:n,filters:s}=this.store,o=t.low!==null;this.words.textContent=yr(t,n.facts),this.value.textContent=
et(t),this.range.textContent=o?`95 % interval ${mt(t)}`:"error unknown";let i=D(n,[s]);this.note.draw(i);let a=e.value>0?100*t.value/e.value:0,l=Object.keys(s).
length>0;this.part.textContent=l&&e.value>0?`${v(a,a<10?1:0)} % of all`:"",this.clear.hidden=!l,this.chips.replaceChildren(...this.chipsOf()),clearTimeout(this.
timer),this.timer=window.setTimeout(()=>{let u=o?`between ${mt(t)}`:"error unknown";this.spoken.textContent=[`${et(t)} selected, ${u}`,i].filter(Boolean).join("\
; ")},400)}chipsOf(){let{engine:t,filters:e}=this.store,n=Object.entries(e).map(([s,o])=>{let i=t.attributes[Number(s)],a=i.describeIntervals(o),l={type:"button",
onclick:()=>this.store.filter(Number(s),null)};return m("li",{},m("span",{class:"chip-name"},i.title),` ${a} `,m("button",{...l,"aria-label":`Remove the filter \
on ${i.title}`},"×"))});return n.length?n:[m("li",{class:"none"},"Drag over a chart or tick a name.")]}async copy(){try{await navigator.clipboard.writeText(location.
href),this.link.textContent="Copied"}catch{this.link.textContent="Copy it from the address bar"}setTimeout(()=>{this.link.textContent="Copy link"},2e3)}};function Nt(r,t,e,{none:n=null,only:s=()=>!0}={}){let o=r.engine.attributes.filter(s).map(l=>m("option",{value:l.axis},l.title));n!==null&&o.unshift(m("option",
{value:""},n));let i=E("choose"),a=m("select",{id:i,onchange:()=>e(a.value===""?null:Number(a.value))},...o);return{element:m("span",{class:"chooser"},m("label",
{for:i},t),a),draw(l){a.value=String(l??"")}}}var Mr=50,ft=class{constructor(t,e,n){this.scheduler=t;this.kind=e;this.more=m("button",{type:"button",class:"quiet",onclick:()=>this.showMore()},"Show more"),this.
save=m("button",{type:"button",onclick:()=>this.download()},"Download CSV"),this.element=m("div",{class:"result"},Ct(n,this.head,this.body),this.foot.element,m(
"p",{class:"acts"},this.save,this.more,this.note)),this.element.hidden=!0}scheduler;kind;element;body=m("tbody",{role:"rowgroup"});head=m("tr",{role:"row"});more;save;note=m(
"span",{class:"note"});foot=new $;rows=[];titles=[];sorted=null;shown=Mr;show({columns:t,rows:e}){Object.assign(this,{rows:e,sorted:null,shown:Mr}),this.element.
hidden=!1;let n=t.filter(Sr).length===1;this.titles=t.flatMap(s=>Sr(s)?Ao(s,n):[s]),this.head.replaceChildren(...this.titles.map(s=>q({class:"text"in s?"left":null},
m("button",{type:"button",onclick:()=>this.sort(s)},s.name)))),this.fill()}sort(t){let e=this.sorted?.title===t?!this.sorted.down:!("text"in t);this.sorted={title:t,
down:e};let n=e?-1:1;this.rows.sort((s,o)=>n*(t.key(s)-t.key(o))),[...this.head.children].forEach((s,o)=>{this.titles[o]===t?s.setAttribute("aria-sort",e?"desce\
nding":"ascending"):s.removeAttribute("aria-sort")}),this.fill()}showMore(){this.shown*=4,this.fill()}fill(){let t=this.rows.slice(0,this.shown),e=t.map(s=>Q(...this.
titles.map(o=>Mo(s,o))));this.body.replaceChildren(...e),this.foot.draw(""),this.more.hidden=this.rows.length<=this.shown;let n=this.rows.length===1?"row":"rows";
this.note.textContent=this.more.hidden?`${v(this.rows.length)} ${n}`:`${v(t.length)} of ${v(this.rows.length)} ${n}`,this.scheduler.start(this.kind,this.errors(
t,e),0)}*errors(t,e){let n=new Map;for(let o=0;o<t.length;o+=1){for(let i=0;i<this.titles.length;i+=1){let a=this.titles[i];if("text"in a)continue;let{of:l,end:u}=a,
h=yield*l.figure(t[o]),c=e[o].children[i];c.textContent=So(h,u,l.digits),h.note&&n.set(e[o],h.note)}yield}let[s]=n.values();if(this.foot.draw(s?Eo(s):""),n.size!==
e.length)for(let[o,i]of n)o.firstElementChild?.append(pe(i))}csv(){let t=[this.titles.map(({name:e})=>e)];for(let e of this.rows){let n=s=>"text"in s?s.text(e):
String(V(s.of.figure(e))[s.end]??"");t.push(this.titles.map(n))}return wn(t)}download(){Tt(`${this.kind}.csv`,new Blob([this.csv()],{type:bn}))}};function Ao(r,t){
let e=(s,o)=>({name:o,of:r,end:s,key:i=>V(r.figure(i))[s]??-1/0}),n=["low","high"].map(s=>e(s,t?s:`${r.name} ${s}`));return[{...e("value",r.name),key:s=>r.value(
s)??-1/0},...n]}function Sr(r){return"figure"in r}function Mo(r,t){if("text"in t)return R("th",{class:"left"},t.text(r)||"(empty)");let e=t.end==="value"&&t.of.
digits===0?t.of.value(r):null;return R("td",{"data-label":t.name},e===null?"…":v(e))}function So(r,t,e){let n=r[t];return n===null?t==="high"&&r.low!==null?"n\
o limit":r.value===null&&r.low===null?"none":"unknown":v(n,r.low===null?e:Y(r))}function Eo(r){return`${r[0].toUpperCase()}${r.slice(1)}.`}var Io=100,ko=1e3,Er=["Group by","and by","and by"],Me=class{constructor(t,e){this.store=t;let n=E("groups");this.choosers=Er.map((s,o)=>Nt(t,s,i=>this.choose(o,
i),{none:o?"–":null})),this.table=new ft(e,"groups","Totals by group"),this.element=m("section",{class:"panel","aria-labelledby":n},m("header",{},m("h2",{id:n},
"Table"),...this.choosers.map(({element:s})=>s)),this.problem,this.table.element)}store;element;choosers;table;problem=m("p",{class:"problem",role:"alert",hidden:!0});choose(t,e){
let n=[...this.store.group];e===null?n.splice(t,1):n[Math.min(t,n.length)]=e,this.store.choose("group",[...new Set(n)].slice(0,Er.length))}draw(){let{engine:t,filters:e,
group:n}=this.store;this.choosers.forEach(({element:s,draw:o},i)=>{s.hidden=i>n.length||i>=t.attributes.length,o(n[i])});try{this.problem.hidden=!0;let s=n.map(
u=>this.binsOf(t.attributes[u])),o=Dt(t,[e],n,s);for(let u of o)u.labels=u.bins.map((h,c)=>T(t.attributes[n[c]],h));let i=new ut(this.store.engineFor(o.length),
[e],n.map(u=>t.attributes[u])),a={name:t.facts.measure,digits:0,value:u=>u.value,figure:u=>at(()=>i.answer(u))},l=n.map((u,h)=>fn(t.attributes[u].title,h));this.
table.show({columns:[...l,a],rows:o})}catch(s){if(!(s instanceof g))throw s;this.problem.textContent=s.message,this.problem.hidden=!1,this.table.element.hidden=
!0}}binsOf(t){return t.ordered?ht(this.store,t,Io,ko):t.displayBins(1/0)}};var To={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]},Se=class{constructor(t,e){this.map=t;this.store=t.store,this.told=m("p",{class:"told",
id:e,"aria-live":"polite"});let{picture:n}=t;n.append(this.cursor),n.addEventListener("keydown",s=>this.key(s)),n.addEventListener("pointerdown",s=>this.press(s)),
n.addEventListener("pointermove",s=>this.move(s)),n.addEventListener("pointerup",()=>this.release()),n.addEventListener("pointercancel",()=>{this.held=null});for(let s of[
"pointerleave","blur"])n.addEventListener(s,()=>this.say(null))}map;told;store;cursor=b("rect",{class:"cursor",visibility:"hidden"});place=[0,0];held=null;dragged=!1;press(t){
t.button===0&&(this.held=this.map.cellAt(t),t.pointerType==="mouse"&&this.map.picture.setPointerCapture(t.pointerId))}move(t){this.say(this.map.cellAt(t)),!(!this.
held||String(this.held)===String(this.place))&&(this.dragged=!0,this.keep(this.held,this.place))}release(){this.held&&!this.dragged&&this.toggle(this.held),this.
held=null,this.dragged=!1}key(t){let e=To[t.key];if(e)this.say([this.place[0]+e[0],this.place[1]+e[1]]);else if(t.key==="Enter"||t.key===" ")this.toggle(this.map.
nearest(this.place));else if(t.key==="Escape")this.keepNothing();else return;t.preventDefault()}toggle(t){let{filters:e}=this.store;this.map.axes.every((s,o)=>String(
e[s])===String(this.map.bins[o][t[o]]))?this.keepNothing():this.keep(t,t)}keep(t,e){this.map.axes.forEach((n,s)=>{let[o,i]=[t[s],e[s]].sort((a,l)=>a-l);this.store.
filter(n,O(this.map.bins[s].slice(o,i+1)))})}keepNothing(){for(let t of this.map.axes)this.store.filter(t,null)}say(t){S(this.cursor,{visibility:t?"visible":"hi\
dden"}),this.told.textContent=t?this.words(this.map.nearest(t)):""}words(t){let{bins:e,cell:n,attributes:s}=this.map;this.place=t;let[o,i]=this.map.corner(...t);
return S(this.cursor,{x:o,y:i,width:n[0],height:n[1]}),`${s.map((l,u)=>`${l.title} ${T(l,e[u][t[u]])}`).join(", ")}: ${pt(this.map.answerAt(t))}`}};var gt=class{constructor(t,e,n){this.store=t;this.name=e;this.edge=n;let s=E("map"),o={tabindex:0,role:"application","aria-labelledby":s,"aria-describedby":`${s}\
-told`};this.picture=b("svg",{class:"map",...o},this.axis,this.cells,this.marks,this.frame);let i=new Se(this,`${s}-told`);this.plot.append(this.picture);let a=he(
e,{name:()=>ce(this.title),picture:()=>this.savedPicture(),table:()=>this.table()});this.header.append(m("h2",{id:s},e),a),this.element=m("section",{class:"pane\
l","aria-labelledby":s},this.header,this.note.element,this.plot,i.told,this.legend)}store;name;edge;element;picture;bins=[[],[]];cell=[0,0];values=new Float64Array(
0);answers=null;width=0;height=0;axis=b("g",{class:"axis","aria-hidden":"true"});header=m("header",{});legend=m("p",{class:"legend"});note=new $;cells=b("g",{"a\
ria-hidden":"true"});marks=b("g",{class:"marks","aria-hidden":"true"});frame=b("path",{class:"map-brush"});plot=m("div",{class:"plot"});get attributes(){return this.
axes.map(t=>this.store.engine.attributes[t])}get title(){let[t,e]=this.attributes;return`${t.title} by ${e.title}`}compute(){return this.bins=this.binsNow(),this.
store.engine.grid(this.axes,this.bins,this.store.filters)}draw(t){this.values=t,this.answers=null,this.note.draw(D(this.store.engine,[this.store.filters],this.axes)),
this.width||(this.width=this.room()),this.paint()}resize(){let t=this.room();!this.values.length||t===this.width||(this.width=t,this.paint(),this.answers&&this.
drawErrors(this.answers))}answerAt([t,e]){let{engine:n,filters:s}=this.store,o=t*this.bins[1].length+e;return this.answers?this.answers[o]:this.store.engineFor(
this.values.length).answer(n.narrowed(s,this.axes,[this.bins[0][t],this.bins[1][e]]),this.values[o])}drawErrors(t){this.answers=t}room(){return Math.max(240,Math.
floor(this.plot.clientWidth))}paint(){let[t,e]=this.bins.map(i=>i.length);this.cell=this.cellSize(this.width),this.height=this.edge.top+this.edge.bottom+this.cell[1]*
e,S(this.picture,{width:this.width,height:this.height,viewBox:`0 0 ${this.width} ${this.height}`});let n=Math.max(...this.values,0),s=Math.min(...this.cell)>6?.6:
0,o=[];this.values.forEach((i,a)=>{let l=n>0?Math.sqrt(Math.max(i,0)/n):0;if(l<.004)return;let[u,h]=this.corner(Math.floor(a/e),a%e),c={width:Math.max(.5,this.cell[0]-
s),height:this.cell[1]-s};o.push(b("rect",{class:"cell",x:u,y:h,...c,"fill-opacity":l.toFixed(3)}))}),this.cells.replaceChildren(...o),this.marks.replaceChildren(),
this.paintAxes(),this.paintFrame(),S(this.picture,{"data-cells":t*e}),this.legend.replaceChildren(m("span",{class:"ramp","aria-hidden":"true"}),`0 to ${re(n)} a\
 cell, shaded by the square root`)}paintFrame(){let t=this.axes.some(o=>o in this.store.filters),[e,n]=t?this.axes.map((o,i)=>this.runs(o,i)):[[],[]],s=e.flatMap(
([o,i])=>n.map(([a,l])=>{let[u,h]=this.corner(o,l),[c,p]=[(i-o+1)*this.cell[0],(l-a+1)*this.cell[1]];return`M${u},${h}h${c}v${p}h${-c}Z`}));S(this.frame,{d:s.length?
s.join(""):null})}runs(t,e){let n=this.store.filters[t]??[[0,1/0]],s=[];return this.bins[e].forEach((o,i)=>{if(!n.some(([l,u])=>l<o[1]&&u>o[0]))return;let a=s[s.
length-1];a?.[1]===i-1?a[1]=i:s.push([i,i])}),s}cellAt(t){let e=this.picture.getBoundingClientRect(),n=Math.floor((t.clientX-e.left-this.edge.left)/this.cell[0]),
s=this.bins[1].length-1-Math.floor((t.clientY-e.top-this.edge.top)/this.cell[1]);return this.nearest([n,s])}nearest([t,e]){let n=(s,o)=>Math.max(0,Math.min(this.
bins[o].length-1,s));return[n(t,0),n(e,1)]}corner(t,e){return[this.edge.left+t*this.cell[0],this.edge.top+(this.bins[1].length-1-e)*this.cell[1]]}savedPicture(){
let{engine:t,filters:e}=this.store,n=Object.fromEntries(Object.entries(e).filter(([s])=>!this.axes.includes(Number(s))));return ge(this.picture,this.title,[`${t.
facts.title}: ${t.facts.measure}; ${this.legend.textContent}`,dt(t,n),...[this.note.element.textContent??""].filter(Boolean)])}table(){let[t,e]=this.attributes,
n=this.bins[0].flatMap((s,o)=>this.bins[1].map((i,a)=>{let{value:l,low:u,high:h}=this.answerAt([o,a]);return[T(t,s),T(e,i),String(l),String(u??""),String(h??"")]}));
return[[t.title,e.title,this.store.engine.facts.measure,"low","high"],...n]}};var Oo=32,Co=64,$o=60,bt={left:92,right:8,top:6,bottom:34},Ee=class extends gt{across;up;constructor(t){super(t,"Heat map",bt),this.across=Nt(t,"Across",e=>this.
turn(e??0,t.map[1])),this.up=Nt(t,"Up",e=>this.turn(t.map[0],e??0)),this.header.append(this.across.element,this.up.element)}get axes(){return this.store.map}turn(t,e){
let[n,s]=this.store.map;this.store.choose("map",t===e?[s,n]:[t,e])}binsNow(){return this.attributes.map((t,e)=>{let n=ht(this.store,t,t.ordered?Oo:$o,Co);return e===
1&&!t.ordered?n.reverse():n})}cellSize(t){let[e,n]=this.bins.map(s=>s.length);return[(t-bt.left-bt.right)/e,Math.max(9,Math.min(26,420/n))]}draw(t){this.across.
draw(this.store.map[0]),this.up.draw(this.store.map[1]),super.draw(t)}drawErrors(t){super.drawErrors(t);let e=this.bins[1].length,n=[];t.forEach((o,i)=>{if(o.low===
null||o.value<1||o.high-o.low<o.value)return;let[a,l]=this.corner(Math.floor(i/e),i%e);n.push(b("circle",{cx:a+this.cell[0]/2,cy:l+this.cell[1]/2,r:1.3}))}),this.
marks.replaceChildren(...n);let s=t.some(o=>o.low===null);this.legend.append(s?"; errors are unknown":"; a dot: the error is more than half the total")}paintAxes(){
let[t,e]=this.attributes,[n,s]=this.bins,o=[],i=(c,p,d,f,w)=>b("text",w,oe(It(c,this.bins[p],d),f),b("title",{},T(c,d))),a=0;n.forEach((c,p)=>{let d=this.corner(
p,0)[0]+this.cell[0]/2,f=Math.min(It(t,n,c).length,10)*3.3;d-f<a||d+f>this.width||(o.push(i(t,0,c,10,{x:d,y:this.height-bt.bottom+14,"text-anchor":"middle"})),a=
d+f+8)});let l=Math.ceil(13/this.cell[1]),u=-1/0;for(let c=s.length-1;c>=0;c-=1){let p=s[c],d=this.corner(0,c)[1]+this.cell[1]/2+4;c%l&&p[0]<e.count||d-u<11.5||
(o.push(i(e,1,p,13,{x:bt.left-6,y:d,"text-anchor":"end"})),u=d)}let h={x:(bt.left+this.width)/2,y:this.height-4,"text-anchor":"middle"};o.push(b("text",{...h,class:"\
axis-name"},t.title)),this.axis.replaceChildren(...o)}};function Ir(){let r=(...o)=>b("svg",{width:22,height:16,viewBox:"0 0 22 16","aria-hidden":"true"},...o),t=b("rect",{class:"column",x:6,y:2,width:10,height:14}),
e=b("rect",{class:"column out",x:6,y:2,width:10,height:14}),n=b("path",{class:"band bars",d:"M11,2V14M7,2h8M7,14h8"}),s=[[r(t),"estimate"],[r(n),"95 % interval:\
 it holds the true number in 95 of 100 cases"],[r(e),"not selected"]];return m("ul",{class:"key","aria-label":"Legend of the charts"},...s.map(o=>m("li",{},...o)))}var No=12,Ie=class{constructor(t){this.store=t;let{attributes:e}=t.engine;this.boxes=e.map(({axis:s})=>m("input",{type:"checkbox",onchange:()=>this.toggle(s,this.
boxes[s].checked)})),this.items=e.map((s,o)=>m("li",{},m("label",{},this.boxes[o],m("span",{},s.title),m("small",{},`${v(s.size)} ${s.size===1?"value":"values"}`))));
let n=m("input",{type:"search",placeholder:"Find an attribute","aria-label":"Find an attribute",oninput:()=>this.find(n.value)});this.element=m("details",{class:"\
picker"},this.summary,e.length>No?n:null,m("ul",{},...this.items))}store;element;boxes;items;summary=m("summary",{});draw(){let{shown:t,engine:e}=this.store;this.
summary.textContent=`Attributes: ${t.length} of ${e.attributes.length} shown`,this.boxes.forEach((n,s)=>{n.checked=t.includes(s)})}toggle(t,e){let n=this.store.
shown.filter(s=>s!==t);this.store.choose("shown",e?[...n,t].sort((s,o)=>s-o):n)}find(t){let e=t.trim().toLowerCase();this.store.engine.attributes.forEach(({name:n,
title:s},o)=>{this.items[o].hidden=!`${n} ${s}`.toLowerCase().includes(e)})}};var Ro=/^(.*?)(latitude|lat)$/,Fo=/^(.*?)(longitude|long|lon|lng)$/;function Tr(r){let t=kr(r,Fo,360);for(let[e,n]of kr(r,Ro,90)){let s=t.get(e);if(s!==void 0)return[s,n]}return null}function kr(r,t,e){let n=new Map;for(let s of r){
let{type:o,count:i,axis:a}=s;if(!(o!=="number"&&o!=="integer")&&!(i<2||s.edge(0)<-e||s.edge(i)>e+s.step))for(let l of[s.title,s.name]){let u=t.exec(Lo(l));u&&!n.
has(u[1])&&n.set(u[1],a)}}return n}function Lo(r){return r.replace(/\(.*\)$/,"").toLowerCase().replace(/[^\p{L}]/gu,"")}function Or(r){return[111.195*Math.max(.05,
Math.cos(r*Math.PI/180)),111.195]}var Bo=[96,72],Uo=560,L={left:46,right:10,top:6,bottom:24},Ho=.25,ke=class extends gt{constructor(e,n){super(e,"Map",L);this.axes=n;this.zoom=m("input",{type:"c\
heckbox",onchange:()=>e.choose("zoomed",this.zoom.checked)}),this.header.append(m("label",{class:"chooser"},this.zoom,m("span",{},"Zoom to the selection")))}axes;zoom;get title(){
return`Map by ${this.attributes.map(({title:e})=>e).join(" and ")}`}draw(e){this.zoom.checked=this.store.zoomed,super.draw(e),this.legend.append("; point at a c\
ell for its interval")}binsNow(){return this.attributes.map((e,n)=>{let[s,o]=this.window(e),i=Math.max(1,Math.ceil((o-s)/Bo[n])),a=[];for(let l=s;l<o;l+=i)a.push(
[l,Math.min(l+i,o)]);return a})}window({axis:e,count:n}){let s=this.store.zoomed?this.store.filters[e]?.filter(([i])=>i<n)??[]:[],o=s[s.length-1];return o?[Math.
floor(s[0][0]),Math.min(Math.ceil(o[1]),n)]:[0,n]}ends(e){let n=this.bins[e],s=this.attributes[e];return[s.tickAt(n[0][0]),s.tickAt(n[n.length-1][1])]}get extent(){
let[[e,n],[s,o]]=[this.ends(0),this.ends(1)],[i,a]=Or((s+o)/2);return[(n-e)*i,(o-s)*a]}cellSize(e){let[n,s]=this.extent,[o,i]=this.bins.map(l=>l.length),a=Math.
min(e-L.left-L.right,Uo*n/s);return[a/o,a*s/n/i]}paintAxes(){let[e,n]=this.bins.map(l=>l.length),[s,o]=[this.cell[0]*e,this.cell[1]*n],i=L.top+o,a=[b("rect",{class:"\
ground",x:L.left,y:L.top,width:s,height:o})];for(let l of Cr(this.ends(0),s/90)){let u=L.left+s*(l-this.ends(0)[0])/(this.ends(0)[1]-this.ends(0)[0]);a.push(b("\
line",{x1:u,x2:u,y1:L.top,y2:i})),a.push(b("text",{x:u,y:i+16,"text-anchor":"middle"},`${l}°`))}for(let l of Cr(this.ends(1),o/60)){let u=i-o*(l-this.ends(1)[0])/
(this.ends(1)[1]-this.ends(1)[0]);a.push(b("line",{x1:L.left,x2:L.left+s,y1:u,y2:u})),a.push(b("text",{x:L.left-5,y:u+4,"text-anchor":"end"},`${l}°`))}this.axis.
replaceChildren(...a),this.marks.replaceChildren(...this.scale(s,i))}scale(e,n){let[s]=this.extent,o=Po(s*Ho),i=e*o/s,[a,l]=[L.left+10,n-10],u=o>=1?`${v(o)} km`:
`${v(1e3*o)} m`;return[b("path",{class:"scale",d:`M${a},${l-5}v5h${i}v-5`}),b("text",{class:"scale-text",x:a+i/2,y:l-6,"text-anchor":"middle"},u)]}};function Po(r){
let t=10**Math.floor(Math.log10(r));return([5,2].find(e=>e*t<=r)??1)*t}function Cr([r,t],e){let n=se(t-r,Math.max(2,Math.floor(e))),s=n.length>1?n[1]:t-r,o=Math.
max(0,Math.ceil(-Math.log10(s)+1e-9)),i=[];for(let a=Math.ceil(r/s);a*s<=t;a+=1)i.push(Number((a*s).toFixed(o))+0);return i}var Te=class{constructor(t){this.store=t;this.box=m("input",{type:"checkbox",id:"simultaneous","aria-describedby":"simultaneous-note",onchange:()=>t.choose("sim\
ultaneous",this.box.checked)}),this.element=m("p",{class:"switch"},m("label",{},this.box,m("span",{},"Simultaneous intervals")),m("span",{class:"note",id:"simul\
taneous-note"},"All intervals of a chart, map or table hold together in 95 of 100 cases. They are longer."))}store;element;box;draw(){this.box.checked=this.store.
simultaneous}};function $r(r,t,e){let n=e.map(i=>Rr(r.attributes[i].name)),s=Object.entries(t).map(([i,a])=>Do(r.attributes[Number(i)],a)),o=[`SELECT ${[...n,lt(r.facts.measure)].
join(", ")}`,"FROM view"];return s.length&&o.push(`WHERE ${s.join(`
  AND `)}`),n.length&&o.push(`GROUP BY ${n.join(", ")}`),o.join(`
`)}function Do(r,t){let e=Rr(r.name),n=[],s=[];for(let[o,i]of t){let a=Math.min(i,r.count);if(r.ordered)o<a&&n.push(Nr(r,e,o,a));else for(let l=o;l<a;l+=1)s.push(
vn(r.names[l]));r.other&&o<=r.count&&r.count<i&&n.push(jo(r,e)),r.missing&&o<=r.missingCode&&r.missingCode<i&&n.push(`${e} IS NULL`)}return s.length&&n.unshift(
`${e} IN (${s.join(", ")})`),n.length===0?`(${e} IS NULL AND ${e} IS NOT NULL)`:n.length===1?n[0]:`(${n.join(" OR ")})`}function Nr(r,t,e,n){let s=a=>r.isCalendar?
vn(r.text(a)):r.text(a),[o,i]=[r.tickAt(e),r.tickAt(n)];return r.step?`${t} BETWEEN ${s(o)} AND ${s(i-r.step)}`:`${t} >= ${s(o)} AND ${t} < ${s(i)}`}function jo(r,t){
return r.ordered?`NOT (${Nr(r,t,0,r.count)})`:`${t} NOT IN (${r.names.map(vn).join(", ")})`}function Rr(r){return/^[a-z_][a-z0-9_]*$/i.test(r)?r:`"${r.replaceAll(
'"','""')}"`}function vn(r){return`'${r.replaceAll("'","''")}'`}var Oe=class{constructor(t,e){this.store=t;let n=E("sql");this.text=m("textarea",{id:"sql",rows:5,spellcheck:"false",autocapitalize:"off",autocomplete:"off","ar\
ia-labelledby":n,onkeydown:s=>{s.key==="Enter"&&(s.ctrlKey||s.metaKey)&&this.run()}}),this.table=new ft(e,"answer","Answer to the question in SQL"),this.element=
m("section",{class:"panel","aria-labelledby":n},m("header",{},m("h2",{id:n},"SQL")),this.text,m("p",{class:"acts"},m("button",{type:"button",class:"main",onclick:()=>this.
run()},"Run"),m("button",{type:"button",class:"quiet",onclick:()=>this.takeOver()},"Use the filters above"),m("span",{class:"note"},"Ctrl+Enter runs it")),this.
problem,this.table.element)}store;element;text;problem=m("p",{class:"problem",role:"alert",hidden:!0});table;ran="";simultaneous=!1;draw(){this.store.sql===null?
this.text.value===""&&this.takeOver():(this.store.sql!==this.ran||this.store.simultaneous!==this.simultaneous)&&(this.text.value=this.store.sql,this.answer())}takeOver(){
let{engine:t,filters:e,group:n}=this.store;this.text.value=$r(t,e,n)}run(){this.answer(),this.store.choose("sql",this.text.value)}answer(){let{simultaneous:t}=this.
store;Object.assign(this,{ran:this.text.value,simultaneous:t}),this.problem.hidden=!0,this.table.element.hidden=!0;try{this.table.show(ne(this.store.engine,this.
text.value,{simultaneous:t}))}catch(e){if(!(e instanceof g))throw e;this.problem.textContent=e.message,this.problem.hidden=!1}}};function Lr({privacy:r}){return r.warning?m("p",{class:"warning",role:"alert"},`${r.warning}. Never give this view away.`):null}function Br(r){let{axes:t,privacy:e,
description:n,kept:s}=r,o=e.warning?"A view that is not private":"A differentially private view",i=`${t.length} ${t.length===1?"attribute":"attributes"}`,a=`noi\
se of epsilon ${Rt(e.epsilon)} protects ${e.unit}`,u=[`${o} of a table by ${i}: ${a}, so every number is an estimate with a 95 % interval.`,n,s&&`${s[0].toUpperCase()}${s.
slice(1)}.`].filter(Boolean);return m("header",{class:"title"},m("h1",{},r.title),...u.map(h=>m("p",{},h??"")))}function Ur(r){let{privacy:t}=r,e=E("privacy"),n=[
t.promise,...t.words];return m("section",{class:"panel privacy","aria-labelledby":e},m("header",{},m("h2",{id:e},"Privacy")),...[...n,"All numbers here are esti\
mates. Noise was added on purpose, and the distribution inside a block is estimated. The 95 % intervals allow for both. Where a method gives no error, the page \
says so.",...r.content.mixture?["Some pairs of attributes were measured together. Where the page says that attributes were never measured together, the numbers \
assume that they are independent."]:[]].map(i=>m("p",{},i)),Go(r),m("h3",{},"What the budget was spent on"),m("p",{},"Along the path from the whole table to a b\
lock with the largest privacy loss."),Fr("What the budget was spent on",["spent on","by",t.currency],t.ledger.map(([i,a,l])=>[i,a,Rt(l)])),m("details",{},m("sum\
mary",{},`All ${v(t.entries.length)} entries of the ledger`),Fr("All entries of the ledger",["purpose","mechanism","statistic","sensitivity",t.currency,"blocks"],
t.entries.map(([i,a,l,u,h,c])=>[i,a,l,String(u),h,v(c)]))))}function Go(r){let{privacy:t}=r,e=[["definition",t.definition],["epsilon",`${Rt(t.epsilon)}, of whic\
h ${Rt(t.spent)} was spent`],...t.delta?[["delta",Rt(t.delta)]]:[],["protects",t.unit],["noise from",t.entropy],["method",r.method],["holds",`${v(r.rows)} ${r.noun}\
 for ${qo(r.cells)} cells`],["made by",r.software]];return m("dl",{},...e.flatMap(([n,s])=>[m("dt",{},n),m("dd",{},s)]))}function Fr(r,t,e){let n=o=>o<t.indexOf(
"sensitivity")||o<2?"left":null,s=o=>Q(...o.map((i,a)=>R("td",{class:n(a),"data-label":t[a]},i)));return be(r,t.map((o,i)=>q({class:n(i)},o)),e.map(s))}function Rt(r){
return String(Number(r.toPrecision(6)))}function qo(r){return r.length>15?`about 10^${r.length-1}`:r.replace(/\B(?=(\d{3})+$)/g,",")}var zo=864e5,Ce=class{constructor(t,e){this.axis=e;this.name=t.name,this.unit=t.unit,this.type=t.type,this.size=t.size,this.count=t.count,this.other=t.other,this.
missing=t.missing,this.otherName=t.otherName,this.missingName=t.missingName,this.title=t.label||t.name,this.description=t.description??"",this.ordered=t.names===
void 0,this.names=t.names??[],this.codes=new Map(this.names.map((n,s)=>[n,s])),this.step=t.step??0,this.bins=t.bins??{edges:[]}}axis;name;unit;type;size;count;other;missing;otherName;missingName;title;description;ordered;names;codes;step;bins;get missingCode(){
return this.count+(this.other?1:0)}get special(){return Array.from({length:this.size-this.count},(t,e)=>this.count+e)}describe(t){return t>=this.count?this.other&&
t===this.count?this.otherName:this.missingName:this.ordered?this.describeRange(t,t+1):this.names[t]}describeRange(t,e){let n=this.tickAt(t),s=this.tickAt(e);return s-
n<=this.step?this.text(n):`${this.text(n)} to ${this.text(s-this.step)}`}describeIntervals(t){let e=[];for(let[n,s]of t){let o=Math.min(s,this.count);if(n<o)if(this.
ordered)e.push(this.describeRange(n,o));else for(let i=Math.floor(n);i<o;i+=1)e.push(this.names[i]);for(let i of this.special)n<=i&&i<s&&e.push(this.describe(i))}
return e.length===0?"nothing":e.length>4?`${e.slice(0,3).join(", ")} and ${e.length-3} more`:e.join(", ")}tickAt(t){let e=Math.min(Math.floor(t),this.count-1),n=this.
edge(e);return t===e?n:n+(t-e)*(this.edge(e+1)-n)}edge(t){let{bins:e}=this;return e.edges?e.edges[t]:t===this.count?e.stop:e.start+t*e.width}positionOf(t){let{bins:e}=this;
if(t>=this.edge(this.count))return this.count;if(t<=this.edge(0))return 0;let n=this.count-1;if(e.edges){let o=C(e.edges,t);return o+(t-e.edges[o])/(e.edges[o+1]-
e.edges[o])}let s=(t-e.start)/e.width;return s<=n?s:Math.min(this.count,Math.max(n+(t-this.edge(n))/(e.stop-this.edge(n)),n))}text(t){if(this.type==="integer")return String(
Math.round(t));if(this.type==="number")return Vo(t);let[e,n]=new Date(Math.round(t)).toISOString().replace("Z","").split("T");return this.type==="date"?e:`${e} ${n.
replace(/\.0+$/,"")}`}brief(t){if(this.type!=="timestamp")return this.text(t);let[e,n]=new Date(Math.round(t)).toISOString().split("T"),s=(this.edge(this.count)-
this.edge(0))/zo;return s>60?e:s<=1?n.slice(0,5):`${e.slice(5)} ${n.slice(0,5)}`}parse(t){let e=t.trim();if(this.type==="integer"||this.type==="number")return e!==
""&&Number.isFinite(Number(e))?Number(e):null;let n=/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?))?$/.exec(e);if(!n||this.type==="date"&&n[2])
return null;let s=Date.parse(`${n[1]}T${n[2]??"00:00"}Z`);return Number.isFinite(s)&&new Date(s).toISOString().startsWith(n[1])?s:null}displayBins(t){let e=this.
ordered?Math.max(1,Math.ceil(this.count/t)):1,n=this.ordered?this.count:Math.min(this.count,t),s=[];for(let o=0;o<n;o+=e)s.push([o,Math.min(o+e,n)]);return[...s,
...this.special.map(o=>[o,o+1])]}describeBin([t,e]){return e-t===1||t>=this.count?this.describe(t):this.describeRange(t,e)}get isCalendar(){return this.type==="\
date"||this.type==="timestamp"}};function Vo(r){if(r===0)return"0";let[t,e]=r.toExponential(9).split("e"),n=Number(e);if(n<-4||n>=10){let s=n<0?"-":"+";return`${Number(
t)}e${s}${String(Math.abs(n)).padStart(2,"0")}`}return r.toFixed(Math.max(0,9-n)).replace(/(\.\d*?)0+$/,"$1").replace(/\.$/,"")}var z=class{constructor(t,e){this.sides=t;this.values=e}sides;values;cover(t,e=[]){return Object.keys(t).map(Number).filter(s=>!e.includes(s)).map(s=>[s,this.sides[s].
covered(t[s])])}weighted(t){let e=Float64Array.from(this.values);for(let[n,s]of t){let{which:o}=this.sides[n];for(let i=0;i<e.length;i+=1)e[i]*=s[o[i]]}return e}histogram(t,e,n){
let s=this.sides[t],o=this.weighted(this.cover(n,[t])),i=new Float64Array(s.count);for(let c=0;c<o.length;c+=1)i[s.which[c]]+=o[c];let{first:a,bin:l,share:u}=s.
spread(e),h=new Float64Array(e.length);for(let c=0;c<s.count;c+=1)for(let p=a[c];p<a[c+1];p+=1)h[l[p]]+=i[c]*u[p];return h}grid(t,e,n,{within:s=!1}={}){let o=t.
map(h=>this.sides[h]),i=t.map((h,c)=>o[c].spread(e[c],s?n[h]??null:null)),a=this.weighted(this.cover(n,t)),l=new Float64Array(e.reduce((h,c)=>h*c.length,1)),u=(h,c,p,d)=>{
if(h===t.length){l[p]+=d;return}let{first:f,bin:w,share:y}=i[h],x=o[h].which[c],I=e[h].length;for(let k=f[x];k<f[x+1];k+=1)u(h+1,c,p*I+w[k],d*y[k])};for(let h=0;h<
a.length;h+=1)a[h]!==0&&u(0,h,0,a[h]);return l}};function xn(r,t){return t.map((e,n)=>{let s=new Map,o=[],i=new Int32Array(r[n].length);for(let a=0;a<i.length;a+=
1){let l=r[n][a],u=s.get(l);u===void 0&&(u=o.length,s.set(l,u),o.push(l)),i[a]=u}return new K(Float64Array.from(o),Float64Array.from(o,a=>a+1),i,null)})}var wt=class{constructor(t,e){this.axis=t;this.cut=e;this.count=t.length,this.right=new Int32Array(this.count),this.leaf=new Int32Array(this.count).fill(-1),this.
own=new Int32Array(this.count),this.cutting=new Int32Array(this.count);let n=new Int32Array(this.count);for(let o=this.count-1;o>=0;o-=1)n[o]=1,!(t[o]<0)&&(this.
right[o]=o+1+n[o+1],n[o]+=n[o+1]+n[this.right[o]]);let s=0;for(let o=0;o<this.count;o+=1)t[o]<0&&(this.leaf[o]=s++);this.leaves=s}axis;cut;count;leaves;right;leaf;own;cutting;addUp(t){
let e=new Float64Array(this.count);for(let n=this.count-1;n>=0;n-=1)e[n]=this.axis[n]<0?t[this.leaf[n]]:e[n+1]+e[this.right[n]];return e}sides(t,e){let n=t.length,
s=t.map((a,l)=>new Mn(this,l,a)),o=new Int32Array(this.count*n),i=t.map(()=>new Int32Array(this.leaves));for(let a=0;a<n;a+=1)o[a]=s[a].of(0,t[a]);for(let a=0;a<
this.count;a+=1){let l=a*n,u=this.axis[a];if(u<0){for(let f=0;f<n;f+=1)i[f][this.leaf[a]]=o[l+f];continue}let h=o[l+u];this.cutting[a]=h;let{lower:c,upper:p}=s[u],
d=[[a+1,c[h],this.cut[a]],[this.right[a],this.cut[a],p[h]]];for(let[f,w,y]of d)o.copyWithin(f*n,l,l+n),this.own[f]=o[f*n+u]=s[u].of(w,y)}return s.map(({lower:a,
upper:l},u)=>new K(Float64Array.from(a),Float64Array.from(l),i[u],e?.[u]??null))}},Mn=class{lower=[];upper=[];place;seen=new Map;constructor(t,e,n){let s=new Set(
[0,n]);for(let o=0;o<t.count;o+=1)t.axis[o]===e&&s.add(t.cut[o]);this.place=new Map([...s].map((o,i)=>[o,i]))}of(t,e){let n=(this.place.get(t)??0)*this.place.size+
(this.place.get(e)??0),s=this.seen.get(n);return s===void 0&&(s=this.lower.length,this.seen.set(n,s),this.lower.push(t),this.upper.push(e)),s}},yt=class{constructor(t,e){
this.tree=t;let n=Float64Array.from(e);this.share=new Float64Array(t.count).fill(1),this.between=new Float64Array(t.count);for(let s=t.count-1;s>=0;s-=1){if(t.axis[s]<
0)continue;let o=s+1,i=t.right[s],a=n[o]+n[i];n[s]=Number.isFinite(e[s])?e[s]*An(a,e[s]+a):a,this.share[o]=An(n[o],a),this.share[i]=An(n[i],a),this.between[s]=n[i]*
this.share[o]}this.root=n[0],this.through=new Float64Array(t.count),this.inside=new Float64Array(t.count)}tree;root;share;between;through;inside;ofWeights(t){let{
tree:e}=this;for(let n=e.count-1;n>=0;n-=1)e.axis[n]<0?this.settle(n,t[e.leaf[n]]):this.join(n);return this.atRoot()}settle(t,e){this.through[t]=e,this.inside[t]=
0}join(t){let e=t+1,n=this.tree.right[t],s=this.through[e]-this.through[n];this.through[t]=this.share[e]*this.through[e]+this.share[n]*this.through[n],this.inside[t]=
this.inside[e]+this.inside[n]+this.between[t]*s*s}atRoot(){return this.inside[0]+this.through[0]**2*this.root}};function $e(r,t){return Float64Array.from(r,e=>e===
0?1/0:t[e-1])}function An(r,t){return t>0?r/t:.5}function rt(r,{scatter:t,power:e}){let n=Math.max(r,0);return n+t*n**e}function Hr(r,t,e,n){let{of:s,count:o}=n,i=new Float64Array(o),a=new Float64Array(o),l=new Float64Array(
o);for(let h=0;h<s.length;h+=1){let c=r[t[h]];i[s[h]]+=c,a[s[h]]+=c*c,l[s[h]]=e[h]}let u=0;for(let h=0;h<o;h+=1)u+=Math.max(i[h]**2,a[h])*l[h]*(1-l[h]);return u}
function Pr(r,t,e,n,s,o){let{of:i,count:a}=s,l=new Float64Array(a),u=new Float64Array(a),h=0;for(let p=0;p<i.length;p+=1)h+=t[e[p]]*n[p]*(1-n[p]),l[i[p]]+=r[e[p]],
u[i[p]]=n[p];let c=0;for(let p=0;p<a;p+=1)c+=rt(l[p],o)*u[p]*(1-u[p]);return(1-o.together)*h+o.together*c}function Sn(r,t,e){let n=new Float64Array(e.length),s=1;
for(let[o,i]of t){let{which:a,count:l}=r[o];s*(l+1)>4503599627370496&&({of:n,count:s}=Ne(n));for(let u=0;u<e.length;u+=1){let h=a[e[u]];n[u]=n[u]*(l+1)+(i[h]<1?
h+1:0)}s*=l+1}return Ne(n)}function Dr(r,t,e,n){let s=new Float64Array(e.length);return t.forEach((o,i)=>{let a=Sn(r,o,e);for(let l=0;l<e.length;l+=1)s[l]=s[l]*
(a.count+1)+(n[i][l]?a.of[l]+1:0);({of:s}=Ne(s))}),Ne(s)}function Ne(r){let t=new Map,e=new Float64Array(r.length);for(let n=0;n<r.length;n+=1){let s=t.get(r[n])??
t.size;t.set(r[n],s),e[n]=s}return{of:e,count:t.size}}function jr(r,t,e,n){let{margin_weight:s,unmeasured_weight:o,unmeasured_power:i}=n;if(!(s||o)||!(r>0))return 0;let a=t.map(f=>Ko(f,e.sizes)),l=t.map((f,w)=>_o(f,
a[w],r,e,n)),u=s*Math.max(0,...l);if(a.every(f=>f.length<=1))return u;let{total:h,record:c}=e,p=h>0?Math.min(r/h,1):0,d=rt(h/c,n)*c**2;return u+o*d*p**i*(1-p)}function _o(r,t,e,n,s){
let o=0;for(let i of t){let a=s.histogram_variances[i]??null;if(a===null)continue;let[l,u,h]=[n.axes[i],Z(r[i]),n.sizes[i]],c=f=>l.mass?l.at(f):f,p=r[i].reduce(
(f,[w,y])=>f+c(y)-c(w),0),d=c(h)>0?n.total*p/c(h):0;o+=a*Math.max(Math.min(u,h-u),0)*(e/Math.max(e,d))**2}return o}function Ko(r,t){return Object.keys(r).map(Number).
filter(n=>Z(r[n])<t[n])}var Wo=1-1e-12,vt=class{constructor(t,e,n=s=>new z(s,t.values)){this.sizes=e;let s=t.errorModel;this.model=s,this.tree=new wt(t.axis,t.cut),this.record=t.record,
this.rows=n(this.tree.sides(e,t.density)),this.covariance=new yt(this.tree,$e(t.measured,t.variances)),this.totals=this.tree.addUp(this.rows.values);let{count:o}=this.
tree;this.stacks={nodes:new Int32Array(o),out:new Int32Array(o),inner:new Int32Array(o)},this.records=t.values.map(i=>i/this.record),this.scatter=this.records.map(
i=>s?rt(i,s):0)}sizes;rows;model;record;covariance;tree;totals;records;scatter;stacks;answer(t){let e=this.summed(t),{value:n,noise:s,partly:o,share:i,groups:a}=e,
{model:l}=this;if(!l)return _(n,s,Hr(this.rows.values,o,i,a),2.12);let[u,...h]=t,c=u&&h.length===0,[p,d]=c?this.ofHistogram(u,Object.keys(u).map(Number),l):[1/0,
0],f=o.reduce((k,st,B)=>k+this.rows.values[st]*i[B],0),w={total:this.totals[0],record:this.record,axes:this.rows.sides,sizes:this.sizes},y=jr(f,t,w,l),x=this.scattered(
e,l)+this.cutOff(d,n,l)+y,I=Math.min(x,Math.max(p-s,0));return _(n,Math.min(s,p),I,l.z)}summed(t,e=1/0){let n=t.map(o=>this.rows.cover(o)),s=t.length===1?this.descend(
n[0],t[0],e):this.unite(n);return s&&{...s,noise:this.covariance.atRoot()}}scattered({partly:t,share:e,groups:n},s){return Pr(this.records,this.scatter,t,e,n,s)*
this.record**2}unite(t){let{sides:e,values:n}=this.rows,s=new Float64Array(n.length),o=t.map(u=>Float64Array.from(n,(h,c)=>Gr(u,e,c)));for(let u of o)for(let h=0;h<
s.length;h+=1)s[h]+=u[h];let i=[],a=0;for(let u=0;u<s.length;u+=1)s[u]>=Wo?s[u]=1:s[u]>0&&i.push(u),a+=s[u]*n[u];this.covariance.ofWeights(s);let l=o.map(u=>i.map(
h=>u[h]>0));return{value:a,partly:i,share:i.map(u=>s[u]),groups:Dr(e,t,i,l)}}descend(t,e,n){let s=n<1/0?n/this.record**2/(1-(this.model?.together??0)):1/0,o=0,{
tree:i,covariance:a,totals:l,rows:u}=this,h=new Array(this.sizes.length).fill(null);for(let[A]of t)h[A]=u.sides[A].touched(e[A]);let{axis:c,right:p,own:d,cutting:f,
leaf:w}=i,{nodes:y,out:x,inner:I}=this.stacks,k=[],st=[],[B,ot,Ve]=[1,0,0];for(y[0]=0,x[0]=t.filter(([A])=>(h[A]?.[0]??2)<2).length;B;){B-=1;let A=y[B],_e=x[B];
if(_e===0)Ve+=l[A],a.settle(A,1);else if(c[A]<0){let F=Gr(t,u.sides,w[A]);if(Ve+=F*l[A],a.settle(A,F),F>0&&F<1){if(k.push(w[A]),st.push(F),s===1/0)continue;if(o+=
this.scatter[w[A]]*F*(1-F),o>s)return null}}else{I[ot]=A,ot+=1;let F=h[c[A]];for(let Lt=A+1,Tn=0;Tn<2;Lt=p[A],Tn+=1){let On=F?F[d[Lt]]:1;if(On===0){a.settle(Lt,
0);continue}y[B]=Lt,x[B]=F&&On===2&&F[f[A]]<2?_e-1:_e,B+=1}}}for(let A=ot-1;A>=0;A-=1)a.join(I[A]);return{value:Ve,partly:k,share:st,groups:Sn(u.sides,t,k)}}ofHistogram(t,[
e,...n],s){let o=s.histogram_variances[e]??null;if(o===null||n.length)return[1/0,0];let i=t[e],a=Z(i),l=this.sizes[e]-a;return[!i.some(c=>c.some(p=>p%1))?Math.min(
a*o,l*o+this.covariance.root):1/0,o*Math.max(Math.min(a,l),0)]}cutOff(t,e,n){return n.histogram_weight*Math.max(t-Math.max(e,0)**2,0)}};function Gr(r,t,e){let n=1;
for(let[s,o]of r)n*=o[t[s].which[e]];return n}var Re=class{constructor(t,e){this.sizes=e;this.rows=new z(xn(Qo(e,t.values.length),e),t.values)}sizes;rows;total(t){return qr(this.rows,t)}},Fe=class extends Re{bucket;covariance;size;totals;constructor(t,e){
super(t,e),this.bucket=t.bucket;let n=new wt(t.axis,t.cut);this.covariance=new yt(n,$e(t.measured,t.variances)),this.size=new Float64Array(n.leaves),this.totals=
new Float64Array(n.leaves),this.bucket.forEach((s,o)=>{this.size[s]+=1,this.totals[s]+=t.values[o]})}answer(t){let e=new Float64Array(this.size.length),n=0;for(let o of t.
map(i=>this.rows.cover(i)))for(let i=0;i<this.bucket.length;i+=1){let a=1;for(let[l,u]of o)a*=u[this.rows.sides[l].which[i]];e[this.bucket[i]]+=a,n+=a*this.rows.
values[i]}let s=0;for(let o=0;o<e.length;o+=1)e[o]=Math.min(e[o]/this.size[o],1),s+=this.totals[o]**2*e[o]*(1-e[o]);return _(n,this.covariance.ofWeights(e),s,2.12)}},
Le=class extends Re{bases;inverse;variance;constructor(t,e){super(t,e),this.bases=t.bases,this.inverse=t.inverse,this.variance=t.variance}answer(t){let e=t.map(
o=>this.rows.cover(o)),n=e.map(o=>this.turned(new Map(o))),s=0;return n.forEach((o,i)=>{n.slice(i).forEach((a,l)=>{s+=(l?2:1)*this.covariance(o,a)})}),_(this.total(
e),s*this.variance,0,2.12)}turned(t){return this.sizes.map((e,n)=>Yo(this.bases[n],e,this.weights(n,t.get(n))))}covariance(t,e){let n=this.inverse;return t.forEach(
(s,o)=>{let i=s[0]*e[o][0],a=0;for(let h=1;h<s.length;h+=1)a+=s[h]*e[o][h];let l=n.length/2,u=new Float64Array(l);for(let h=0;h<l;h+=1)u[h]=i*n[h]+a*n[l+h];n=u}),
n[0]}weights(t,e){let n=new Float64Array(this.sizes[t]).fill(1);return this.rows.sides[t].lower.forEach((s,o)=>{e&&(n[s]=e[o])}),n}},Be=class{rows;constructor(t,e){
let n=t.values.length,s=e.map((o,i)=>t.coords.subarray(i*n,(i+1)*n));this.rows=new z(xn(s,e),t.values)}answer(t){return on(qr(this.rows,t.map(e=>this.rows.cover(
e))))}};function qr(r,t){return t.reduce((e,n)=>e+r.weighted(n).reduce((s,o)=>s+o,0),0)}function Yo(r,t,e){let n=new Float64Array(t);for(let s=0;s<t;s+=1)if(e[s]!==
0)for(let o=0;o<t;o+=1)n[o]+=e[s]*r[s*t+o];return n}function Qo(r,t){let e=t;return r.map(n=>{e/=n;let s=new Int32Array(t);for(let o=0;o<t;o+=1)s[o]=Math.floor(
o/e)%n;return s})}var Ue=class{total;weights;bins;shares;below;masses;constructor({total:t,weights:e,edges:n,levels:s},o){this.total=t,this.weights=e,this.bins=n.map((i,a)=>Zo(Float64Array.
from(i),o?.[a]??null)),this.shares=s.map(i=>Jo(i,e.length)),this.below=this.shares.map(i=>Xo(i,e.length)),this.masses=n.map(()=>new j(e.length))}mass(t,e){return this.
masses[t].of(e,()=>this.massOf(t,e))}massOf(t,e){let n=this.weights.length,s=this.bins[t].covered(e),o=new Float64Array(n);for(let i=0;i<s.length;i+=1){if(s[i]===
0)continue;let a=i;for(;i+1<s.length&&s[i]===1&&s[i+1]===1;)i+=1;a<i?ni(o,this.below[t],a*n,(i+1)*n):_r(o,this.shares[t],i*n,s[i])}return o}components(t,e=[]){let n=this.
weights.map(s=>s*this.total);for(let s of Object.keys(t)){let o=Number(s);e.includes(o)||zr(n,this.mass(o,t[o]))}return n}value(t){return Vr(this.components(t))}addGrid(t,e,n,s,{
within:o=!1}={}){let i=e.map((p,d)=>this.bins[p].spread(n[d],o?s[p]??null:null)),a=this.weights.length,l=e.length-1,u=e.slice(0,l).map((p,d)=>ti(this.shares[p],
i[d],n[d].length,a)),h=(p,d,f)=>{if(p===l){ei(t,d*n[l].length,this.shares[e[l]],i[l],f);return}for(let w=0;w<n[p].length;w+=1){let y=Float64Array.from(f);zr(y,u[p].
subarray(w*a,(w+1)*a)),h(p+1,d*n[p].length+w,y)}},c=this.components(s,e);return e.length?h(0,0,c):t[0]+=Vr(c),t}},He=class extends z{constructor(e,n,s){super(e,
n);this.mixture=s}mixture;histogram(e,n,s){return this.mixture.addGrid(super.histogram(e,n,s),[e],[n],s)}grid(e,n,s,o){return this.mixture.addGrid(super.grid(e,
n,s,o),e,n,s,o)}};function Zo(r,t){return new K(r.slice(0,-1),r.slice(1),new Int32Array(0),t)}function Jo(r,t){let e=r.length/t,n=new Float64Array(r.length);for(let s=0;s<
t;s+=1){let o=0;for(let i=0;i<e;i+=1)o+=r[s*e+i]**2;for(let i=0;i<e;i+=1)n[i*t+s]=r[s*e+i]**2/o}return n}function Xo(r,t){let e=new Float64Array(r.length+t);for(let n=0;n<
r.length;n+=1)e[n+t]=e[n]+r[n];return e}function ti(r,{first:t,bin:e,share:n},s,o){let i=new Float64Array(s*o);for(let a=0;a<t.length-1;a+=1)for(let l=t[a];l<t[a+
1];l+=1)_r(i.subarray(e[l]*o,(e[l]+1)*o),r,a*o,n[l]);return i}function ei(r,t,e,{first:n,bin:s,share:o},i){let a=i.length;for(let l=0;l<n.length-1;l+=1){if(n[l]===
n[l+1])continue;let u=0;for(let h=0;h<a;h+=1)u+=i[h]*e[l*a+h];for(let h=n[l];h<n[l+1];h+=1)r[t+s[h]]+=u*o[h]}}function _r(r,t,e,n){for(let s=0;s<r.length;s+=1)r[s]+=
n*t[e+s]}function ni(r,t,e,n){for(let s=0;s<r.length;s+=1)r[s]+=t[n+s]-t[e+s]}function zr(r,t){for(let e=0;e<r.length;e+=1)r[e]*=t[e]}function Vr(r){let t=0;for(let e=0;e<
r.length;e+=1)t+=r[e];return t}var ri=4,si="no two of these attributes were measured together: the answer takes them as independent",Pe=class{constructor(t,e,n,s){this.model=t;this.mixture=e;
this.sizes=n;this.record=s;this.within=e.bins.map((o,i)=>ii(o,n[i])),this.figures=n.map(()=>new j(ri))}model;mixture;sizes;record;within;figures;bounded(t){return Object.
keys(t).map(Number).filter(n=>!ai(t[n],this.sizes[n]))}ofBoxes(t){let[e,n,s]=[0,0,!0];for(let o of t){let i=this.ofBox(o);e+=Math.sqrt(i.least),n+=Math.sqrt(i.rest),
s&&=i.byPair}return{least:e**2,rest:n**2,byPair:s}}ofBox(t){let e=this.bounded(t),n=new Map(e.map(p=>[p,this.along(p,t[p])])),s=this.mixture.total,o=1/0,i=0,{sum_power:a}=this.
model;for(let{axes:p,variance:d,dependence:f,misfit:w}of this.pairsIn(n)){let[y,x]=p.map(ot=>this.along(ot,t[ot])),I=Kr(n,p),k=this.scatter(s*(y.cut*x.share+x.cut*
y.share)),st=this.scatter(this.ofPair(t,p))*I*Math.max(1-I,0),B=w*d*(y.cells*x.cells)**a;o=Math.min(o,I**2*(B+k)+st),i=Math.max(i,I**2*f*s**2*oi(y,x))}let l=0;for(let[
p,{histogram:d}]of n)l+=d*Kr(n,[p])**2;let{dependence_weight:u,histogram_weight:h}=this.model,c=e.length===2&&o<1/0;return{least:o,rest:u*i+h*l,byPair:c}}note(t,e){
let n=o=>o.size>1&&this.pairsIn(o).length===0,s=o=>new Set([...this.bounded(o),...e]);return t.some(o=>n(s(o)))?si:""}pairsIn(t){return this.model.pairs.filter(
({axes:[e,n]})=>t.has(e)&&t.has(n))}along(t,e){return this.figures[t].of(e,()=>this.figuresOf(t,e))}figuresOf(t,e){let n=this.within[t],s=this.mixture.bins[t].covered(
e),o={share:0,cells:0,cut:0,histogram:0};for(let l=0;l<s.length;l+=1)o.share+=n[l]*s[l],o.cells+=s[l]**2,o.cut+=n[l]*s[l]*(1-s[l]);let i=Z(e),a=Math.max(0,Math.
min(i,this.sizes[t]-i));return o.histogram=(this.model.histogram_variances[t]??0)*a,o}ofPair(t,[e,n]){let{weights:s,total:o}=this.mixture,i=this.mixture.mass(e,
t[e]),a=this.mixture.mass(n,t[n]),l=0;for(let u=0;u<s.length;u+=1)l+=s[u]*i[u]*a[u];return o*l}scatter(t){return this.model.pair_scatter*rt(t/this.record,this.model)*
this.record**2}};function oi(r,t){return r.share===0||t.share===0?0:Math.min(1,r.cut/r.share+t.cut/t.share)**2*r.share*t.share*(1-r.share)*(1-t.share)}function Kr(r,t){
let e=1;for(let[n,{share:s}]of r)t.includes(n)||(e*=s);return e}function ii(r,t){let e=r.mass?.reduce((s,o)=>s+o,0)??0,n=(s,o)=>e>0?(r.at(o)-r.at(s))/e:(o-s)/t;
return Float64Array.from(r.lower,(s,o)=>n(s,r.upper[o]))}function ai(r,t){return r.length===1&&r[0][0]<=0&&r[0][1]>=t}var De=class extends vt{mixture;errorModel;pairs;constructor(t,e){let n=new Ue(t.mixture,t.density);super(t,e,s=>new He(s,t.corrections,n)),this.mixture=n,this.
errorModel=t.errorModel,this.pairs=new Pe(t.errorModel,n,e,t.record)}answer(t,e=null){let{least:n,rest:s,cut:o,byPair:i}=this.told(t),a=i&&e!==null?null:this.summed(
t,e===null?1/0:n),l=e??t.reduce((p,d)=>p+this.mixture.value(d),a?.value??0),{errorModel:u}=this,h=a&&!i?a.noise+this.scattered(a,u)+this.cutOff(o,l,u):1/0,c=Math.
min(h,n)+s;return{..._(l,c,0,u.z),note:this.note(t)}}told(t){let e=t.length===1?this.pairs.bounded(t[0]):null;if(e===null||e.length>1)return{...this.pairs.ofBoxes(
t),cut:0};let[n,s]=this.ofHistogram(t[0],e,this.errorModel);return{least:n,rest:0,cut:s,byPair:!1}}note(t,e=[]){return this.pairs.note(t,e)}};var Wr={u1:Uint8Array,f8:Float64Array,i4:Int32Array,i2:Int16Array,u2:Uint16Array,u4:Uint32Array};async function li(r){let t=Uint8Array.from(atob(r.data),n=>n.charCodeAt(
0)),e=new Blob([t]).stream().pipeThrough(new DecompressionStream("deflate"));return new Wr[r.type](await new Response(e).arrayBuffer())}async function je(r){if(r===
null||typeof r!="object")return r;if(ui(r))return li(r);if(Array.isArray(r))return Promise.all(r.map(je));let t=Object.entries(r).map(async([e,n])=>[e,await je(
n)]);return Object.fromEntries(await Promise.all(t))}function ui(r){return"data"in r&&"type"in r&&String(r.type)in Wr}var Ge=class r{constructor(t,e){this.facts=t;this.content=e;this.attributes=t.axes.map((n,s)=>new Ce(n,s)),this.sizes=t.axes.map(n=>n.size),this.byName=new Map(
this.attributes.map(n=>[n.name,n]))}facts;content;attributes;sizes;byName;names=new Map;together=1;static async open(t){let e=t.axes.map(s=>s.size),n=t.content.
mixture?"mixed":t.content.kind;return new r(t,hi(n,await je(t.content),e))}answer(t,e){let n=this.content.answer(Array.isArray(t)?t:[t],e);if(n.low===null)return n;
let s=this.together>1?sn(n,n.reach*_t(this.together)):n;return Gn(s,this.shortest)}get shortest(){let{shortest:t}=this.facts.privacy;return this.together>1?t*jn(
this.together):t}shareBounds(t,e){return Pn(t.value,this.reachOf(t),e.value,this.reachOf(e))}reachOf({reach:t,stderr:e}){return Math.max(t,e!==null&&e>0?this.shortest/
2:0)}jointly(t){return Object.assign(Object.create(r.prototype),this,{together:t})}note(t,e){return this.content.note?.(t,e)??""}get measuredPairs(){let{content:t}=this.
facts;return t.mixture?t.errorModel?.pairs.map(({axes:e})=>e)??[]:[]}largestNames(t){let e=this.names.get(t);if(e)return e;let n=Array.from({length:this.attributes[t].
count},(i,a)=>a),s=n.map(i=>[i,i+1]),o=this.histogram(t,s,{});return n.sort((i,a)=>o[a]-o[i]),this.names.set(t,n),n}histogram(t,e,n){let[s,o]=Yr(e),i=this.content.
rows.histogram(t,s,n);return o?Float64Array.from(o,a=>i[a]):i}grid(t,e,n,s){let o=e.map(Yr),i=o.map(([l])=>l),a=this.content.rows.grid(t,i,n,s);return o.every(([
,l])=>l===null)?a:a.map((l,u)=>{let[h,c,p]=[u,1,0];for(let d=e.length-1;d>=0;d-=1){let f=h%e[d].length;p+=(o[d][1]?.[f]??f)*c,c*=e[d].length,h=Math.floor(h/e[d].
length)}return a[p]})}narrowed(t,e,n,{within:s=!1}={}){let o={...t};return e.forEach((i,a)=>{o[i]=Ut(n[a],s?t[i]:void 0)}),o}};function Yr(r){if(r.every((n,s)=>s===
0||r[s-1][0]<=n[0]))return[r,null];let t=r.map((n,s)=>s).sort((n,s)=>r[n][0]-r[s][0]),e=new Array(r.length);return t.forEach((n,s)=>{e[n]=s}),[t.map(n=>r[n]),e]}
function hi(r,t,e){return r==="mixed"?new De(t,e):r==="blocks"?new vt(t,e):r==="buckets"?new Fe(t,e):r==="matrix"?new Le(t,e):new Be(t,e)}var ci=["a","b"],mi=["shown","map","group"];function Jr(r,t){let e=r.engine.attributes.map(o=>o.name),n=new URLSearchParams,s=(o,i)=>{for(let[a,l]of Object.entries(
i))n.append(`${o}.${e[Number(a)]}`,l.map(u=>u.join("~")).join(" "))};s("in",r.filters),r.compared!==t.compared&&(n.append("compared","true"),r.compared.forEach(
(o,i)=>{s(ci[i],o)}));for(let o of mi)String(r[o])!==String(t[o])&&n.append(o,JSON.stringify(r[o].map(i=>e[i])));String(r.shares)!==String(t.shares)&&n.append("\
shares",r.shares.join(" "));for(let[o,{unit:i,window:a}]of Object.entries(r.grains))n.append(`bins.${e[Number(o)]}`,a?`${i} ${a.join("~")}`:i);return r.zoomed&&
n.append("zoomed","true"),r.simultaneous&&n.append("simultaneous","true"),r.sql!==null&&n.append("sql",r.sql),n.toString()}function En(r,t){let e={},n=[{},{}],s={},
o={filters:e,grains:s};for(let[i,a]of new URLSearchParams(r.replace(/^#/,""))){let[l]=i.split(".",1),u={in:e,a:n[0],b:n[1]}[l];if(u&&i.includes(".")){let h=t.byName.
get(i.slice(l.length+1)),c=h&&Qr(a,h.size);c&&(u[h.axis]=c)}else if(i==="compared")o.compared=n;else if(i.startsWith("bins.")){let h=t.byName.get(i.slice(5)),[c,
p]=a.split(" "),[d]=h&&p&&Qr(p,h.count)||[];h?.isCalendar&&Et.includes(c)&&(s[h.axis]={unit:c,window:d??null})}else if(i==="shown"||i==="group")o[i]=Zr(a,t)??void 0;else if(i===
"map"){let[h,c,...p]=Zr(a,t)??[];c!==void 0&&p.length===0&&(o.map=[h,c])}else if(i==="shares"){let h=a.split(" ").map(Number);h.length<=20&&h.every(c=>c>=0&&c<=
1)&&(o.shares=h)}else i==="simultaneous"||i==="zoomed"?o[i]=a==="true":i==="sql"&&(o.sql=a.slice(0,5e4))}return o}function Qr(r,t){let e=r===""?[]:r.split(" ").
map(s=>s.split("~").map(Number));return e.every(s=>s.length===2&&s[0]>=0&&s[0]<s[1]&&s[1]<=t)?O(e):null}function Zr(r,t){try{let e=JSON.parse(r),n=e.flatMap(s=>t.
byName.get(s)?.axis??[]);return n.length===e.length?[...new Set(n)]:null}catch{return null}}var qe=class{jobs=new Map;waiting=[];planned=!1;start(t,e,n=12){this.jobs.set(t,e),n>0&&this.turn(t,e,performance.now()+n),this.plan()}settled(){return this.jobs.
size===0?Promise.resolve():new Promise(t=>this.waiting.push(t))}plan(){if(this.jobs.size===0)for(let t of this.waiting.splice(0))t();else this.planned||(this.planned=
!0,setTimeout(()=>this.slice(),0))}slice(){this.planned=!1;let t=performance.now()+12;for(let[e,n]of[...this.jobs]){if(performance.now()>=t)break;this.turn(e,n,
t)}this.plan()}turn(t,e,n){for(;performance.now()<n;)if(e.next().done){this.jobs.get(t)===e&&this.jobs.delete(t);return}}};function Xr(r,t){let e=pi(r),n=e.filter(u=>!t||u.some(h=>!t.includes(h))),s=Math.max(1,Math.min(60,Math.floor(2e6/r.facts.rows))),o=(n.length?n:e).slice(0,s),i=null,
a=-1;for(let u of o){let h=di(r,u);h>a&&([i,a]=[u,h])}let l=u=>r.attributes[u].count;return i&&l(i[0])<l(i[1])?[i[1],i[0]]:i}function pi(r){let t=r.measuredPairs;
if(t.length)return t;let e=r.attributes.map(({axis:n})=>n);return e.flatMap(n=>e.slice(n+1).map(s=>[n,s]))}function di(r,t){let e=t.map(u=>fi(r,r.attributes[u])),
n=r.grid(t,e,{}).map(u=>Math.max(u,0)),s=n.reduce((u,h)=>u+h,0);if(!(s>0))return 0;let o=e[1].length,[i,a]=e.map(u=>new Float64Array(u.length));n.forEach((u,h)=>{
i[Math.floor(h/o)]+=u/s,a[h%o]+=u/s});let l=(u,h)=>Math.abs(u/s-i[Math.floor(h/o)]*a[h%o]);return n.reduce((u,h,c)=>u+l(h,c),0)/2}function fi(r,t){return t.ordered?
t.displayBins(10):r.largestNames(t.axis).slice(0,10).map(e=>[e,e+1])}function ts(r){let t=r.attributes.find(({ordered:i,count:a})=>!i&&a>1);if(t){let[i,a]=r.largestNames(t.axis);return[{[t.axis]:[[i,i+1]]},{[t.axis]:[[a,a+1]]}]}let{
axis:e,count:n}=r.attributes[0],s=Math.ceil(n/2),o=i=>({[e]:M([i],[[0,n]])});return[o([0,s]),o([s,n])]}var gi=6,ze=class{constructor(t){this.engine=t;this.coordinates=Tr(t.attributes),this.firstCompared=ts(t),this.firstMap=Xr(t,this.coordinates)??[0,0],this.restore(
{})}engine;shown;filters;map;group;shares;sql;compared;zoomed;grains;simultaneous;coordinates;firstCompared;firstMap;listeners=[];restore({shown:t,filters:e,map:n,
group:s,shares:o,sql:i,compared:a,zoomed:l,grains:u,simultaneous:h}){let c=this.engine.attributes.map(p=>p.axis);this.shown=t??c.slice(0,gi),this.filters=e??{},
this.map=n??this.firstMap,this.group=s??[c[0]],this.shares=o??[.1,.25,.5,.75,.9],this.sql=i??null,this.compared=a??this.firstCompared,this.zoomed=l??!1,this.grains=
u??{},this.simultaneous=h??!1}onChange(t){this.listeners.push(t)}changed(){for(let t of this.listeners)t()}filter(t,e){if(xt(this.filters[t],e??void 0))return;let n=[
[0,this.engine.attributes[t].size]],s={...this.filters};e===null||xt(e,n)?delete s[t]:s[t]=M(e,n),this.filters=s,t in s||(this.grains=es(this.grains,t)),this.changed()}clear(){
this.filters={};for(let t of Object.keys(this.grains))this.grains=es(this.grains,Number(t));this.changed()}engineFor(t){return this.simultaneous?this.engine.jointly(
t):this.engine}choose(t,e){Object.assign(this,{[t]:e}),this.changed()}};function es(r,t){let{[t]:e,...n}=r;return e&&!e.window?r:n}var bi=8,In=class{constructor(t){this.engine=t;this.store=new ze(t),this.first={...this.store},this.whole=t.answer({}),this.count=new Ae(this.store),this.picker=
new Ie(this.store),this.joint=new Te(this.store);let{coordinates:e}=this.store;this.heat=t.attributes.length>1?new Ee(this.store):null,this.maps=[e&&new ke(this.
store,e),this.heat].filter(n=>n!==null),this.compare=new xe(this.store),this.groups=new Me(this.store,this.scheduler),this.quantiles=new we(this.store),this.sql=
new Oe(this.store,this.scheduler)}engine;times=[];store;first;scheduler=new qe;whole;cards=new Map;count;picker;joint;grid=m("div",{class:"cards"});maps;heat;compare;groups;quantiles;sql;planned=!1;hash="";writing=0;start(t){
let{facts:e}=this.engine,n=[Lr(e),Br(e),this.count.element,Ir(),this.joint.element,this.picker.element,m("h2",{class:"unseen"},"Charts"),this.grid,m("div",{class:"\
panels"},m("div",{},...this.maps.map(s=>s.element),this.compare.element),m("div",{},this.groups.element)),this.quantiles.element,this.sql.element,Ur(e)];t.replaceChildren(
...n.filter(s=>s!==null)),this.store.restore(En(location.hash,this.engine)),this.store.onChange(()=>this.plan()),window.addEventListener("hashchange",()=>this.readHash()),
new ResizeObserver(()=>this.resize()).observe(this.grid),this.draw()}readHash(){location.hash.replace(/^#/,"")!==this.hash&&(this.store.restore(En(location.hash,
this.engine)),this.plan())}plan(){this.planned||(this.planned=!0,requestAnimationFrame(()=>{this.planned=!1,this.draw()}))}draw(){let t=performance.now(),{filters:e,
shown:n}=this.store;this.count.draw(this.engine.answer(e),this.whole),this.picker.draw(),this.joint.draw(),this.arrange(n);for(let s of n){let o=this.cardOf(s);
o.arrange(),o.draw(this.engine.histogram(s,o.bins,e))}for(let s of this.maps)s.draw(s.compute());this.quantiles.draw(),this.sql.draw(),this.scheduler.start("err\
ors",this.errors(),bi),this.writeHash(),this.times.push(performance.now()-t)}arrange(t){let e=t.map(s=>this.cardOf(s).element);e.length===this.grid.childElementCount&&
e.every((s,o)=>this.grid.children[o]===s)||(this.grid.replaceChildren(...e),this.resize())}cardOf(t){let e=this.cards.get(t)??new ve(this.store,this.engine.attributes[t]);
return this.cards.set(t,e),e}resize(){for(let t of this.store.shown)this.cards.get(t)?.resize();for(let t of this.maps)t.resize()}*errors(){let{engine:t}=this,{
filters:e,shown:n}=this.store;this.groups.draw(),yield,this.compare.draw(),yield;for(let s of n){let o=this.cardOf(s),i=[],a=this.store.engineFor(o.bins.length);
for(let[u,h]of o.bins.entries())i.push(a.answer(t.narrowed(e,[s],[h]),o.values[u])),yield;let l=t.attributes[s].ordered?Wt(t,s,[.25,.5,.75],e):[];o.drawErrors(i,
l)}if(this.heat){let[s,o]=this.heat.bins,i=[],a=this.store.engineFor(s.length*o.length);for(let l of s)for(let u of o){let h=this.heat.values[i.length];i.push(a.
answer(t.narrowed(e,this.store.map,[l,u]),h)),yield}this.heat.drawErrors(i)}yield*this.quantiles.fill()}writeHash(){this.hash=Jr(this.store,this.first),clearTimeout(
this.writing),this.writing=window.setTimeout(()=>history.replaceState(null,"",this.hash?`#${this.hash}`:location.pathname+location.search),150)}async settled(){
do await new Promise(t=>requestAnimationFrame(()=>setTimeout(t,0))),await this.scheduler.settled();while(this.planned)}};function ns(r){let t=document.getElementById(
r);if(!t)throw new Error(`the page has no part ${r}`);return t}var Ft=await Ge.open(JSON.parse(ns("view").textContent)),kn=new In(Ft);kn.start(ns("page"));var wi={
ready:!0,answer:r=>Ft.answer(r),histogram:(r,t,e)=>Ft.histogram(r,t,e),quantiles:(r,t,e)=>V(Yt(Ft,r,t,e)),sql:r=>{let{columns:t,rows:e}=ne(Ft,r),n=(s,o)=>"text"in
s?s.text(o):V(s.figure(o));return{columns:t.map(({name:s})=>s),rows:e.map(s=>t.map(o=>n(o,s)))}},settled:()=>kn.settled(),times:kn.times};Object.assign(window,{
ripost:wi});
